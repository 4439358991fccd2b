import type { DemoStep, DemoStory } from './content.ts'

const HANA = 'hana.kimura@demo.example'
const MATEO = 'mateo.fernandez@demo.example'
const ZOFIA = 'zofia.nowak@demo.example'
const ERIK = 'erik.solberg@demo.example'
const RESPONDER = 'responder@demo.example'

/** An act in the exercise, seconds after the one before. */
export type ExerciseStep = { readonly seconds: number } & (
  | (Omit<DemoStep, 'after'> &
      (
        | { readonly checkIn: true }
        | { readonly update: string }
        | { readonly reached: 0 | 25 | 50 | 75 | 100; readonly of: string }
        | { readonly note: string; readonly of: string }
      ))
  | { readonly by: string; readonly say: string }
)

const CUT_OFF = 'Cut the ticket machines off the network'
const LEDGER = 'Sell tickets on paper at both terminals'
const WORDS = 'Text for passengers'

/** The exercise that is begun from the dashboard: its first two minutes are the busiest. */
export const EXERCISE: Pick<DemoStory, 'title' | 'text' | 'severity' | 'targets' | 'tasks'> = {
  title: 'Exercise: ticket machines show a ransom note',
  text:
    '<p><strong>This is an exercise.</strong> Since a few minutes ago all ticket machines at berth 1 and 2 show a ransom note. ' +
    'The first ferry leaves in 50 minutes, and the queue grows.</p>',
  severity: 'CRITICAL',
  targets: [],
  tasks: [
    {
      title: CUT_OFF,
      description: 'At the switch of each terminal. The machines stay powered, for the forensics.',
      priority: 'HIGH',
      to: MATEO,
      idealTitle: 'Network engineer on duty',
      minutes: 15,
    },
    {
      title: LEDGER,
      description: 'Paper kits are in the office behind the counter. Cash and cards of the old reader only.',
      priority: 'HIGH',
      to: ERIK,
      idealTitle: 'Terminal manager',
      minutes: 20,
    },
    {
      title: WORDS,
      description: 'Website, terminals and the phone line say the same.',
      priority: 'MEDIUM',
      to: ZOFIA,
      idealTitle: 'Head of communications',
      minutes: 30,
    },
  ],
}

export const EXERCISE_STEPS: readonly ExerciseStep[] = [
  { seconds: 4, by: RESPONDER, checkIn: true },
  { seconds: 4, by: MATEO, checkIn: true },
  {
    seconds: 5,
    by: MATEO,
    say: '<p>I am at the switch room of berth 1. <strong>Do not turn the machines off</strong>, I only pull the network.</p>',
  },
  { seconds: 6, by: HANA, checkIn: true },
  { seconds: 6, by: MATEO, reached: 25, of: CUT_OFF },
  { seconds: 7, by: ERIK, checkIn: true },
  { seconds: 6, by: ERIK, say: '<p>Paper kits found. Two counters open in five minutes.</p>' },
  {
    seconds: 8,
    by: HANA,
    say: '<p>Please photograph the note and put it here. The wording tells us who it is.</p>',
  },
  { seconds: 8, by: ZOFIA, checkIn: true },
  { seconds: 8, by: ERIK, reached: 50, of: LEDGER },
  {
    seconds: 9,
    by: RESPONDER,
    update:
      'Queue at berth 1 is 60 people, berth 2 about 20. Nobody is upset yet. Sailing at the full hour is safe.',
  },
  { seconds: 10, by: MATEO, reached: 75, of: CUT_OFF },
  {
    seconds: 9,
    by: MATEO,
    note: 'Berth 1 is off the network. Berth 2 has a second uplink that is in no plan: looking for it.',
    of: CUT_OFF,
  },
  { seconds: 12, by: ZOFIA, reached: 25, of: WORDS },
  {
    seconds: 10,
    by: ZOFIA,
    say: '<p>Draft: <em>“Sailings run. Tickets are sold on board and at the counters.”</em> Any objection?</p>',
  },
  { seconds: 10, by: HANA, say: '<p>None. Please leave out the word attack.</p>' },
  { seconds: 12, by: ERIK, reached: 100, of: LEDGER },
  {
    seconds: 12,
    by: MATEO,
    say: '<p>Found it: the payment terminal’s own modem. Both berths are cut off now.</p>',
  },
  { seconds: 8, by: MATEO, reached: 100, of: CUT_OFF },
  { seconds: 15, by: ZOFIA, reached: 75, of: WORDS },
  {
    seconds: 20,
    by: HANA,
    update:
      'The machines are contained. Images of two of them are being taken; nothing is rebuilt before that.',
  },
  { seconds: 25, by: ZOFIA, reached: 100, of: WORDS },
  { seconds: 25, by: RESPONDER, say: '<p>Boarding has begun. 11 minutes late, everybody has a ticket.</p>' },
]
