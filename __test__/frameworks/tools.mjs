// The scripted agent's tools as an MCP server on standard input and output.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { agentTools } from '../support/agents/tools.mjs';

const server = new Server({ name: 'work', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: agentTools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: input } }) => ({
  content: [{ type: 'text', text: agentTools.find((tool) => tool.name === name).run(input) }],
}));
await server.connect(new StdioServerTransport());
