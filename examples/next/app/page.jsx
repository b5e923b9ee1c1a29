'use client';
import { useChat } from '@ai-sdk/react';
import { useState } from 'react';

export default function Page() {
  const { messages, sendMessage, status, error } = useChat();
  const [input, setInput] = useState('');
  const send = (event) => {
    event.preventDefault();
    sendMessage({ text: input });
    setInput('');
  };
  return (
    <main>
      <ol>
        {messages.map(({ id, role, parts }) => (
          <li key={id} data-role={role}>
            {parts.map(({ type, text }) => (type === 'text' ? text : ''))}
          </li>
        ))}
      </ol>
      <form onSubmit={send}>
        <label>
          Message <textarea value={input} onChange={({ target }) => setInput(target.value)} />
        </label>
        <button type="submit" disabled={status !== 'ready' && status !== 'error'}>
          Send
        </button>
      </form>
      {error && <p role="alert">{error.message}</p>}
    </main>
  );
}
