import { compress } from 'palimpsest';

// Rendered on the server, where the engine is.
export default function Page() {
  const { messages } = compress([{ id: 'a', index: 0, role: 'user', content: 'Good morning' }]);
  return <p>{messages[0]?.content}</p>;
}
