const counted = (count: number, one: string, several: string): string => (count === 1 ? one : several)
const people = (count: number) => `${count.toLocaleString('en')} ${counted(count, 'person', 'people')}`

/** Words of an escalation. They load with its parts, which most pages never show. */
export const escalations = {
  title: 'Escalation',
  help: 'Who has not answered is asked again, until they answer or the plan ends.',
  remove: 'No escalation',
  after: 'After',
  minutes: 'minutes',
  afterOf: (number: number) => `Minutes from the send until step ${number}`,
  toOf: (number: number) => `Asked by step ${number}`,
  byOf: (number: number) => `Channel of step ${number}`,
  removeStep: (number: number) => `Remove step ${number}`,
  addStep: 'Add step',
  to: { PERSON: 'the person', DEPUTY: 'their deputy' },
  by: { EMAIL: 'by email', SMS: 'by SMS', VOICE_CALL: 'by voice call' },
  channels: { EMAIL: 'Email', SMS: 'SMS', VOICE_CALL: 'Voice call' },
  rounds: 'Rounds',
  roundsOf: (count: number) => counted(count, '1 round', `${count} rounds at most`),
  pause: 'Minutes between rounds',
  /** A step of a plan, as a sentence. */
  step: (minutes: number, to: 'PERSON' | 'DEPUTY', by: 'EMAIL' | 'SMS' | 'VOICE_CALL') =>
    `After ${minutes} ${counted(minutes, 'minute', 'minutes')} to ${escalations.to[to]} ${escalations.by[by]}`,
  order: 'Ask the group in order',
  orderHelp: 'The next one is asked when nobody has answered well until then.',
  orderMinutes: 'Minutes until the next one is asked',
  next: 'Next',
  /** The next step: "Voice call to 3 people". */
  nextWords: (channels: string, asked: 'PERSON' | 'DEPUTY' | 'NEXT', count: number) =>
    asked === 'NEXT'
      ? `${channels} to the next person of the group`
      : `${channels} to ${asked === 'DEPUTY' ? `the ${counted(count, 'deputy', 'deputies')} of ` : ''}${people(count)}`,
  at: 'at',
  round: (number: number) => `round ${number}`,
  nothingNext: 'Nobody is asked again.',
  ended: {
    ANSWERED: 'Ended: everybody has answered.',
    ANSWERED_IN_ORDER: 'Ended: somebody of the group has answered.',
    DONE: 'Ended: the last step was taken.',
    CLOSED: 'Ended with the question.',
    CANCELLED: 'Ended: the waiting messages were cancelled.',
    STOPPED: 'Stopped.',
  },
  endedBy: (name: string) => `By ${name}`,
  stop: 'Stop escalation',
  stopTitle: 'Stop the escalation?',
  stopText: 'Nobody is asked again. The question stays open, and links that were sent go on working.',
  stopped: 'The escalation is stopped.',
  steps: 'Steps that were taken',
  noSteps: 'No step was taken yet.',
  taken: (number: number) => `Step ${number}`,
  notAsked: (count: number) => `${people(count)} not asked`,
  more: (count: number) => `and ${count} more`,
}
