// An extension of pi with the tools of the scripted agent. pi loads it without what the tests' other files need.
import { agentTools } from '../../../../__test__/support/agents/tools.mjs';

const NAMES = { read: 'read_file', search: 'search_files', run: 'run_command', edit: 'edit_file' };

export default function tools(pi) {
  for (const { name, description, parameters, run } of agentTools)
    pi.registerTool({
      name: NAMES[name],
      label: name,
      description,
      parameters,
      execute: async (_id, input) => ({ content: [{ type: 'text', text: await run(input) }], details: undefined }),
    });
}
