// What shadow requests found, in words. The page and the command line say the same.
import { number, percent, plural } from './format.mjs';
import type { ShadowReport } from 'palimpsest';

const shadowRate = ({ count, of, share, low, high }: ShadowReport['changed']) =>
  `${number(count)} of ${number(of)}: ${percent(share)} (${percent(low)} to ${percent(high)})`;

export function shadowWords({ compared, failed, skipped, changed, noise, kinds, tokens, maxTokens, isSpent }: ShadowReport): string {
  const found = Object.entries(kinds).flatMap(([kind, count]) => (count > 0 ? [`${kind} ${number(count)}`] : []));
  const rates = [
    `after a cut the model did something else in ${shadowRate(changed)}${found.length > 0 ? `, by ${found.join(', ')}` : ''}`,
    `asked twice without a cut, in ${shadowRate(noise)}`,
    "Wilson's intervals of 95 %",
  ];
  return [
    ...(compared > 0 ? rates : ['nothing was compared yet']),
    ...(skipped > 0 ? [`${number(skipped)} left out`] : []),
    ...(failed > 0 ? [`${plural(failed, 'comparison')} failed`] : []),
    `${number(tokens)} of ${number(maxTokens)} tokens spent${isSpent ? ', so that no more are sent' : ''}`,
  ].join('; ');
}
