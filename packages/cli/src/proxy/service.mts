// The unit that starts the proxy as a service of the user.
import { join } from 'node:path';
import { Problem } from '../errors.mjs';

const NAME = 'palimpsest-proxy';
const LABEL = 'dev.palimpsest.proxy';

interface Service {
  /** text of its file */
  unit: string;
  /** how to start it, a line each */
  steps: string[];
}

/**
 * Returns the unit of a proxy for the service manager of a platform.
 *
 * @param platform as `process.platform`
 * @param command program and arguments
 * @throws {Problem} none is known
 */
export function serviceOf(
  platform: string,
  command: string[],
  {
    hasToken,
    home,
  }: {
    /** whether clients must present a token, which the unit doesn't show */
    hasToken: boolean;
    /** folder of the user */
    home: string;
  },
): Service {
  // npx runs it from its cache, which it empties.
  if (command.some((part) => /[\\/]_npx[\\/]/.test(part))) throw new Problem('install it first: npm install -g @palimpsest/cli');
  if (platform === 'linux') return systemd(command, hasToken);
  if (platform === 'darwin') return launchd(command, hasToken, home);
  throw new Problem(`no service manager is known for ${platform}: start \`palimpsest proxy\` with yours; it ends at SIGTERM`);
}

/** A word of `ExecStart` (systemd.service, systemd.syntax). */
const quoted = (word: string) => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

function systemd(command: string[], hasToken: boolean): Service {
  const file = `~/.config/systemd/user/${NAME}.service`;
  const unit = `[Unit]
Description=palimpsest proxy

[Service]
ExecStart=${command.map(quoted).join(' ')}
# PALIMPSEST_TOKEN, HTTPS_PROXY and the like, a line each.
EnvironmentFile=-%h/.config/palimpsest/proxy.env
Restart=on-failure
RestartSec=2
TimeoutStopSec=15
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`;
  const steps = [
    `mkdir -p ~/.config/systemd/user, and write this unit to ${file}`,
    ...(hasToken ? ['write PALIMPSEST_TOKEN=… to ~/.config/palimpsest/proxy.env, and chmod 600 it'] : []),
    `systemctl --user daemon-reload && systemctl --user enable --now ${NAME}`,
    `journalctl --user -u ${NAME} -f shows a line a request`,
    'loginctl enable-linger keeps it running when you are not logged in',
  ];
  return { unit, steps };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function launchd(command: string[], hasToken: boolean, home: string): Service {
  const file = `~/Library/LaunchAgents/${LABEL}.plist`;
  const log = join(home, `Library/Logs/${NAME}.log`);
  const variables = `  <key>EnvironmentVariables</key>
  <dict>
    <key>PALIMPSEST_TOKEN</key>
    <string>TOKEN</string>
  </dict>
`;
  const unit = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
${hasToken ? variables : ''}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`;
  const steps = [
    `write this unit to ${file}`,
    ...(hasToken ? [`write your token in it in the place of TOKEN, and chmod 600 ${file}`] : []),
    `launchctl bootstrap gui/$(id -u) ${file}`,
    `tail -f '${log}' shows a line a request`,
    `launchctl bootout gui/$(id -u)/${LABEL} ends it`,
  ];
  return { unit, steps };
}
