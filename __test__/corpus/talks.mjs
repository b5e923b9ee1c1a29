// Talks of two people, or of a user and a model: sentences by hand, in an order from a seed.

const ENGLISH = {
  facts: [
    (n) => `The locksmith's invoice is number INV-${4100 + n}, and it is due on the ninth.`,
    (n) => `The new router answers at 10.20.${n}.14, port ${8100 + n}.`,
    (n) => `Marguerite Okafor keeps the spare key in cabinet K-${200 + n}.`,
    (n) => `The rehearsal moved to room Basalt-${n}, on the fourth floor.`,
  ],
  asides: [
    'It rained again this morning, and the bus was full of wet umbrellas.',
    'I still think the blue curtains would have been the better choice, but nobody asked me.',
    'We could order soup for everyone, or let each bring something from home.',
    'My neighbour has started to learn the trombone, mostly in the evenings.',
    'There is no hurry with any of it, as far as I can see.',
    'I walked past the old cinema yesterday, and they are painting the doors green.',
    'Someone left a very small umbrella in the hall; it may belong to a child.',
    'The coffee machine makes that noise again, like a ship that leaves a harbour.',
  ],
  ask: [
    'What was the number of the invoice again?',
    'Where does the router answer?',
    'Who has the spare key, and where?',
    'Which room is it now?',
  ],
};
const CHINESE = {
  facts: [
    (n) => `锁匠的发票号码是 INV-${4100 + n}，九号到期。`,
    (n) => `新路由器的地址是 10.20.${n}.14，端口 ${8100 + n}。`,
    (n) => `欧阳静把备用钥匙放在 K-${200 + n} 号柜子里。`,
    (n) => `排练改到四楼的玄武岩-${n} 房间。`,
  ],
  asides: [
    '今天早上又下雨了，公共汽车上到处都是湿雨伞。',
    '我还是觉得蓝色的窗帘更好看，不过没有人问我。',
    '我们可以给大家订汤，也可以让每个人从家里带一点。',
    '邻居开始学长号了，多半在晚上练习。',
    '依我看，这些事情都不着急。',
    '昨天我路过老电影院，他们正在把门漆成绿色。',
  ],
  ask: ['发票号码是多少来着？', '路由器的地址是什么？', '备用钥匙在谁那里，放在哪里？', '现在是哪个房间？'],
};
const JAPANESE = {
  facts: [
    (n) => `鍵屋の請求書は INV-${4100 + n} で、支払期限は九日です。`,
    (n) => `新しいルーターのアドレスは 10.20.${n}.14、ポートは ${8100 + n} です。`,
    (n) => `合鍵は大久保さんが K-${200 + n} のキャビネットに入れています。`,
    (n) => `リハーサルは四階のゲンブガン-${n} に変わりました。`,
  ],
  asides: [
    '今朝もまた雨で、バスの中は濡れた傘でいっぱいでした。',
    '私はやっぱり青いカーテンのほうがよかったと思いますが、誰にも聞かれませんでした。',
    '全員にスープを頼んでもいいし、各自が家から何か持ってきてもいいですね。',
    '隣の人がトロンボーンを習い始めて、たいてい夜に練習しています。',
    '見たところ、どれも急ぐ必要はありません。',
    '昨日古い映画館の前を通ったら、ドアを緑色に塗っていました。',
  ],
  ask: ['請求書の番号は何でしたか。', 'ルーターのアドレスはどこですか。', '合鍵は誰がどこに持っていますか。', '今はどの部屋ですか。'],
};
const EMOJI = {
  ...ENGLISH,
  asides: ENGLISH.asides.map((text, index) => `${text} ${['☔🚌', '🫠', '🍲🥖', '🎺😴', '👌🏽', '🎬💚', '☂️👧🏻', '☕🚢'][index]}`),
};

export const LANGUAGES = { english: ENGLISH, chinese: CHINESE, japanese: JAPANESE, emoji: EMOJI };

const code = (n) =>
  `\`\`\`js\nexport const retry${n} = (task, times = ${n % 9}) =>\n  task().catch((error) => (times > 0 ? retry${n}(task, times - 1) : Promise.reject(error)));\n\`\`\``;
const json = (n) =>
  JSON.stringify({ order: 1000 + n, items: [{ sku: `S-${n}`, count: n % 7 }], paid: n % 2 === 0, note: 'left at the door' }, null, 2);

/**
 * A talk: its facts stand among the first things said, the questions at the end ask for them.
 *
 * @returns {{ turns: object[], facts: string[] }} `facts`: the words that answers need
 */
export function talk(random, language, length) {
  const { facts, asides, ask } = LANGUAGES[language];
  const n = random.between(11, 90);
  const said = facts.map((fact) => fact(n));
  const aside = () =>
    random.join(random.between(2, 5), language === 'english' || language === 'emoji' ? ' ' : '', () => random.pick(asides));
  const turns = [];
  for (let index = 0; index < length; index++) {
    const fact = index < 2 * said.length && index % 2 === 0 ? ` ${said[index / 2]}` : '';
    const more = random.chance(0.1) ? `\n\n${random.chance(0.5) ? code(index) : json(index)}` : '';
    const text = `${aside()}${fact}${more}`;
    turns.push(index % 2 === 0 ? { who: 'user', text, more: [] } : { who: 'assistant', reasoning: null, text, calls: [], odd: false });
  }
  for (const [index, question] of ask.entries()) {
    turns.push({ who: 'user', text: question, more: [] }, { who: 'assistant', reasoning: null, text: said[index], calls: [], odd: false });
  }
  return { system: null, turns };
}
