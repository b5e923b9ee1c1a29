// What the figures are called. Of a transcript, a session is what could have been sent; of the proxy, it is what was sent.

const RECORDED = {
  tokens: 'Tokens sent',
  cost: 'Cost today',
  costOfSession: 'Cost with a session',
  before: 'as they were sent',
  after: 'with a session',
  line: 'as sent',
  lineAfter: 'with a session',
  cutting: 'of which a session would have cut',
  sums: (tokens, counts, sent) => `${tokens} sent (${counts}), ${sent} with a session`,
  reported: 'as the provider reported them',
  costs: (cost, costOfSession) => `${cost}, ${costOfSession} with a session`,
  figures: ['sent', 'with a session', 'cost', 'with one'],
  missing: 'Name its file to `palimpsest report` to see them.',
};

const PROXIED = {
  tokens: 'Tokens that came',
  cost: 'Cost without palimpsest',
  costOfSession: 'Cost as sent',
  before: 'as they came',
  after: 'as they were sent',
  line: 'as it came',
  lineAfter: 'as it was sent',
  cutting: 'of which palimpsest cut',
  sums: (tokens, counts, sent) => `${tokens} came (${counts}), ${sent} were sent`,
  reported: 'scaled to what the provider reported',
  costs: (cost, costOfSession) => `${costOfSession} as sent, ${cost} without palimpsest`,
  figures: ['came', 'sent', 'cost without', 'cost'],
  missing: '',
};

/** @param {{ isProxied?: boolean }} report */
export const wordsFor = ({ isProxied }) => (isProxied ? PROXIED : RECORDED);
