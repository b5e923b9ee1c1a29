// What the figures are called: of a transcript, what could have been sent with palimpsest; of the proxy, what was sent. A session is the agent's.

const RECORDED = {
  tokens: 'Tokens sent',
  cost: 'Cost today',
  costOfSession: 'Cost with palimpsest',
  before: 'as they were sent',
  after: 'with palimpsest',
  line: 'as sent',
  lineAfter: 'with palimpsest',
  cutting: 'of which palimpsest would have cut',
  sums: (tokens, counts, sent) => `${tokens} sent (${counts}), ${sent} with palimpsest`,
  reported: 'as the provider reported them',
  costs: (cost, costOfSession) => `${cost}, ${costOfSession} with palimpsest`,
  figures: ['sent', 'with palimpsest', 'cost', 'cost with it'],
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
