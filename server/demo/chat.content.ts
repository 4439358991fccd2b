/** A message of the demonstration; `after` counts minutes from the first one of its room. */
interface DemoMessage {
  readonly by: string
  readonly after: number
  readonly text: string
  /** Position of the message that this one answers. */
  readonly answers?: number
  /** Emoji under the message, with the addresses of their authors. */
  readonly reactions?: readonly (readonly [emoji: string, by: string])[]
  readonly isPinned?: boolean
}
interface Conversation {
  /** Addresses of the members; the first one creates the room. */
  readonly people: readonly string[]
  readonly messages: readonly DemoMessage[]
}
export interface DemoRoom extends Conversation {
  readonly name: string
  readonly description: string
}

const ADMIN = 'admin@demo.example'
const RESPONDER = 'responder@demo.example'
const PLANNER = 'planner@demo.example'
const BOARD = 'board@demo.example'
const COUNSEL = 'counsel@partner.example'
const HANA = 'hana.kimura@demo.example'
const MATEO = 'mateo.fernandez@demo.example'
const ERIK = 'erik.solberg@demo.example'
const NOAH = 'noah.tremblay@demo.example'

/** Messages of Headquarters. */
export const HEADQUARTERS_WORDS: readonly DemoMessage[] = [
  {
    by: ADMIN,
    after: 0,
    text: '<p>Good morning. When email and the usual chat are down, <strong>this is where we meet</strong>. Please open it once a week so that you know your way.</p>',
    reactions: [
      ['👍', RESPONDER],
      ['👍', HANA],
      ['👍', BOARD],
    ],
  },
  { by: RESPONDER, after: 9, text: '<p>Works on my phone, too. The night shift has tried it.</p>' },
  {
    by: PLANNER,
    after: 31,
    text: `<p>The next exercise is on Thursday at 14:00. @${HANA} and @${ERIK}, please keep the hour free.</p>`,
    reactions: [['✅', HANA]],
  },
  {
    by: ERIK,
    after: 44,
    text: '<p>I am on the water until 14:30 and will join from the bridge.</p>',
    answers: 2,
  },
]

export const WAR_ROOM: DemoRoom = {
  name: 'Crisis team',
  description: 'The first hour of every incident: who is here, what we know, who tells whom.',
  people: [ADMIN, RESPONDER, PLANNER, HANA, MATEO, COUNSEL],
  messages: [
    {
      by: ADMIN,
      after: 0,
      text: '<p>How we begin, so that nobody has to ask:</p><ol><li>Say that you are here.</li><li>Say what you know, and how you know it.</li><li>Take a task, or say that you need one.</li></ol>',
      isPinned: true,
    },
    {
      by: HANA,
      after: 22,
      text: '<p>The ticketing servers were patched last night. The check of the backups is still running.</p>',
    },
    { by: RESPONDER, after: 25, text: '<p>How long will that take?</p>', answers: 1 },
    {
      by: MATEO,
      after: 27,
      text: '<p>Until about noon. I post the result here.</p>',
      answers: 2,
      reactions: [['🙏', RESPONDER]],
    },
    {
      by: COUNSEL,
      after: 61,
      text: '<p>For the next exercise I would like to rehearse the notice to the regulator. The deadline is <em>72 hours</em> from when we know.</p>',
    },
    {
      by: MATEO,
      after: 190,
      text: '<p>All backups restored in the test. Nothing is missing.</p>',
      reactions: [['🎉', ADMIN]],
    },
  ],
}

export const BREAKOUT_ROOM: DemoRoom = {
  name: 'Pier 3 repairs',
  description: 'Until the linkspan is back in service.',
  people: [ERIK, NOAH, RESPONDER],
  messages: [
    { by: ERIK, after: 0, text: '<p>The divers are done. The northern hinge needs a new pin.</p>' },
    { by: NOAH, after: 12, text: '<p>The pin is in stock. <s>Monday</s> Friday, if the crane is free.</p>' },
    {
      by: RESPONDER,
      after: 15,
      text: '<p>The crane is free on Friday from 06:00.</p>',
      reactions: [['👍', NOAH]],
    },
  ],
}

export const DIRECT: Conversation = {
  people: [ADMIN, RESPONDER],
  messages: [
    { by: RESPONDER, after: 0, text: '<p>Do you have a minute for the duty list of next week?</p>' },
    { by: ADMIN, after: 3, text: '<p>After the exercise, in my office?</p>' },
    { by: RESPONDER, after: 4, text: '<p>Perfect.</p>' },
  ],
}
