// A list of 40 orders, and a question for each: is the row still there that is asked for?

export const COUNT = 40;
const NAMES = ['Ana Ruiz', 'Bo Lind', 'Cy Marsh', 'Dee Ortega', 'Eli Wood', 'Fay Kent', 'Gus Hale', 'Hana Sato', 'Ida Berg', 'Jon Pike'];
const name = (order) => NAMES[(7 * order) % NAMES.length];
const number = (order) => `ORD-${1000 + order}`;
/** Different for each order. */
const paid = (order) => (37 + ((7919 * order) % 4000) / 10).toFixed(2);
const list = (row) => Array.from({ length: COUNT }, (_, order) => row(order));

/** The orders as a tool may list them. */
export const ORDERS = {
  JSON: () =>
    JSON.stringify(list((order) => ({ id: number(order), customer: name(order), paid: `${paid(order)} EUR`, day: (order % 28) + 1 }))),
  log: () =>
    list(
      (order) =>
        `2024-05-01T12:${10 + order}:05Z INFO order ${number(order)} customer=${name(order).replace(' ', '_')} paid=${paid(order)} EUR`,
    ).join('\n'),
  prose: () => list((order) => `Order ${number(order)} went to ${name(order)}, who paid ${paid(order)} EUR for it.`).join(' '),
};

/** Ways to ask. */
export const QUESTIONS = [
  (order) => `What did the customer of ${number(order)} pay?`,
  (order) => `Tell me what the customer of ${number(order)} paid.`,
];

/** The conversation whose last message asks for `order`. */
export function talkAbout(form, order, ask = QUESTIONS[0]) {
  return [
    { role: 'user', content: 'List the orders.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'orders', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content: ORDERS[form]() },
    { role: 'assistant', content: 'There are 40 of them.' },
    { role: 'user', content: ask(order) },
  ];
}

/** Tells whether a list still has the row of an order: its number and, before the next number, the amount paid. */
function hasRow(text, order) {
  const row = text.split('ORD-').find((from) => from.startsWith(String(1000 + order)));
  return row?.includes(paid(order)) ?? false;
}

/** Asks for each order: how often `shorten` keeps the row that is asked for, and another one on the average. */
export function ordersIn(form, shorten, ask) {
  let [asked, others] = [0, 0];
  for (let order = 0; order < COUNT; order++) {
    const text = shorten(talkAbout(form, order, ask)).find(({ role }) => role === 'tool')?.content ?? '';
    for (let other = 0; other < COUNT; other++) {
      if (!hasRow(text, other)) continue;
      if (other === order) asked++;
      else others++;
    }
  }
  return { asked, others: others / (COUNT - 1) };
}
