import type { Config } from '#contract/config/catalogue.ts'
import type { Priority, Progress, Severity, TimeUnit } from '#contract/incidents/schema.ts'
import type { UserRole, UserType } from '#contract/users/schema.ts'

/** Stage of an account: signed in, set a password, was invited, was only added, was archived. */
type Standing = 'active' | 'ready' | 'invited' | 'added' | 'archived'
export interface DemoPerson {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role?: UserRole
  readonly type?: UserType
  readonly phone?: string
  readonly location?: string
  readonly department?: string
  readonly standing?: Standing
}
export interface DemoGroup {
  readonly name: string
  readonly description: string
  readonly members: readonly string[]
}
export interface DemoOrganisation {
  readonly code: string
  readonly displayName: string
  readonly config: Partial<Config>
  readonly people: readonly DemoPerson[]
  readonly groups: readonly DemoGroup[]
}

interface DemoTask {
  readonly title: string
  readonly description: string
  readonly priority?: Priority
  readonly to?: string
  readonly idealTitle?: string
  readonly minutes?: number
}
/** An act of a person, minutes after the declaration. */
export type DemoStep = { readonly after: number; readonly by: string } & (
  | { readonly checkIn: true }
  | { readonly task: DemoTask }
  | { readonly update: string }
  | { readonly reached: Progress; readonly of: string }
  | { readonly note: string; readonly of: string }
  | { readonly resolve: true }
  | { readonly analysis: string }
)
export interface DemoStory {
  readonly daysAgo: number
  /** Minutes after midnight, UTC. */
  readonly at: number
  readonly by: string
  readonly title: string
  readonly text: string
  readonly severity: Severity
  readonly isTabletop: boolean
  readonly recovery?: readonly [number, TimeUnit]
  readonly targets: readonly string[]
  readonly tasks: readonly DemoTask[]
  readonly steps: readonly DemoStep[]
}

const ADMIN = 'admin@demo.example'
const RESPONDER = 'responder@demo.example'
export const PLANNER = 'planner@demo.example'
const COUNSEL = 'counsel@partner.example'
const HANA = 'hana.kimura@demo.example'
const MATEO = 'mateo.fernandez@demo.example'
const ZOFIA = 'zofia.nowak@demo.example'
const AMARA = 'amara.diallo@demo.example'
const DANIEL = 'daniel.cohen@demo.example'
const ERIK = 'erik.solberg@demo.example'
const LEILA = 'leila.haddad@demo.example'
const NOAH = 'noah.tremblay@demo.example'

const person = (
  email: string,
  firstName: string,
  lastName: string,
  department: string,
  more: Partial<DemoPerson> = {},
): DemoPerson => ({ email, firstName, lastName, department, location: 'Halifax', ...more })

export const PARENT: DemoOrganisation = {
  code: 'demo',
  displayName: 'Tidewater Ferries (demo)',
  config: {
    playbookEnabled: true,
    playbookMaxTemplates: 25,
    playbooksSharingEnabled: true,
    groupsEnabled: true,
    contactsAndMassNotificationsEnabled: true,
    auth2fa: false,
  },
  people: [
    person(ADMIN, 'Maya', 'Lindqvist', 'Resilience', { role: 'ADMIN', phone: '+19024230101' }),
    person(RESPONDER, 'Tomas', 'Okafor', 'Operations Centre', { phone: '+19024230102' }),
    person(PLANNER, 'Ingrid', 'Bauer', 'Resilience', { role: 'PLAYBOOK_MANAGER', phone: '+19024230103' }),
    person('board@demo.example', 'Rafael', 'Moreau', 'Executive Office', { role: 'BUSINESS_USER' }),
    person(COUNSEL, 'Priya', 'Nair', 'Outside Counsel', {
      type: 'EXTERNAL',
      phone: '+14168650107',
      location: 'Toronto',
    }),
    person(HANA, 'Hana', 'Kimura', 'Information Security', { phone: '+19024230108' }),
    person(MATEO, 'Mateo', 'Fernández', 'Information Technology', { phone: '+19024230109' }),
    person(ZOFIA, 'Zofia', 'Nowak', 'Communications', { phone: '+19024230110' }),
    person(AMARA, 'Amara', 'Diallo', 'Customer Care', { location: 'Dartmouth', phone: '+19024230111' }),
    person(ERIK, 'Erik', 'Solberg', 'Marine Operations', { location: 'Dartmouth', phone: '+19024230112' }),
    person(LEILA, 'Leila', 'Haddad', 'Legal'),
    person(NOAH, 'Noah', 'Tremblay', 'Fleet Engineering', { location: 'Dartmouth', phone: '+19024230114' }),
    person('chloe.martin@demo.example', 'Chloé', 'Martin', 'Human Resources', { standing: 'ready' }),
    person('jakob.weiss@demo.example', 'Jakob', 'Weiss', 'Facilities', {
      location: 'Dartmouth',
      standing: 'invited',
    }),
    person('sofia.rossi@demo.example', 'Sofia', 'Rossi', 'Finance', { standing: 'added' }),
    person(DANIEL, 'Daniel', 'Cohen', 'Operations Centre', { standing: 'archived' }),
  ],
  groups: [
    {
      name: 'Crisis team',
      description: 'Decides in the first hour. Whoever is called comes to the room, or sends their deputy.',
      members: [ADMIN, RESPONDER, PLANNER, ZOFIA, LEILA],
    },
    {
      name: 'Cyber response',
      description: 'Information security and technology, with outside counsel for notifications.',
      members: [HANA, MATEO, RESPONDER, COUNSEL],
    },
    {
      name: 'Harbour and fleet',
      description: 'Both terminals and the ships.',
      members: [ERIK, NOAH, AMARA, DANIEL],
    },
  ],
}

export const CHILD: DemoOrganisation = {
  code: 'demo-east',
  displayName: 'Tidewater Ferries East (demo)',
  config: {
    playbookEnabled: true,
    playbookMaxTemplates: 25,
    groupsEnabled: true,
    auth2fa: false,
  },
  people: [
    person('admin@demo-east.example', 'Samuel', 'Adeyemi', 'Resilience', {
      role: 'ADMIN',
      location: 'Sydney',
    }),
    person('grace.macleod@demo-east.example', 'Grace', 'MacLeod', 'Terminal Operations', {
      location: 'Sydney',
    }),
  ],
  groups: [],
}

const BOOKING: DemoStory = {
  daysAgo: 16,
  at: 10 * 60 + 42,
  by: RESPONDER,
  title: 'Booking system encrypted by ransomware',
  text:
    '<h2>Overview</h2><p>Since early this morning nobody can sell or change a ticket. The booking servers show a ' +
    'ransom note. Ships and the harbour radio are <strong>not</strong> affected; the morning sailings go as planned.</p>' +
    '<h2>Action plan</h2><ol><li>Cut the booking network off and keep what it shows.</li>' +
    '<li>Board with paper lists at both terminals.</li><li>Tell passengers, the privacy office and the insurer.</li></ol>',
  severity: 'CRITICAL',
  isTabletop: false,
  recovery: [12, 'HOURS'],
  targets: [ADMIN, RESPONDER, PLANNER, HANA, MATEO, ZOFIA, AMARA, ERIK, LEILA, COUNSEL],
  tasks: [
    {
      title: 'Disconnect the booking servers',
      description: 'Pull the network, leave the power on, and write down the time for each machine.',
      priority: 'HIGH',
      to: MATEO,
      idealTitle: 'Infrastructure lead',
      minutes: 20,
    },
    {
      title: 'Open the paper boarding kits',
      description: 'One kit lies in each terminal office. Count passengers before the ramp goes up.',
      priority: 'HIGH',
      to: ERIK,
      idealTitle: 'Terminal manager',
      minutes: 30,
    },
    {
      title: 'Notify the insurer',
      description: 'The policy asks for a call within four hours. The number is on the first page.',
      to: LEILA,
      idealTitle: 'General counsel',
      minutes: 30,
    },
  ],
  steps: [
    { after: 3, by: RESPONDER, checkIn: true },
    { after: 4, by: MATEO, checkIn: true },
    { after: 6, by: HANA, checkIn: true },
    { after: 6, by: MATEO, reached: 50, of: 'Disconnect the booking servers' },
    { after: 9, by: ADMIN, checkIn: true },
    { after: 11, by: ERIK, checkIn: true },
    { after: 14, by: MATEO, reached: 100, of: 'Disconnect the booking servers' },
    {
      after: 15,
      by: MATEO,
      note: 'All nine servers are off the network. The backup server was never joined to them.',
      of: 'Disconnect the booking servers',
    },
    { after: 19, by: ZOFIA, checkIn: true },
    {
      after: 22,
      by: ADMIN,
      update: 'Calls every hour on the hour. Between them, please write here and not by email.',
    },
    { after: 24, by: LEILA, checkIn: true },
    { after: 31, by: ERIK, reached: 100, of: 'Open the paper boarding kits' },
    { after: 38, by: COUNSEL, checkIn: true },
    {
      after: 41,
      by: ADMIN,
      task: {
        title: 'Text for passengers',
        description:
          'Website, terminals and the phone line say the same: sailings run, tickets are sold on board.',
        priority: 'HIGH',
        to: ZOFIA,
        idealTitle: 'Head of communications',
        minutes: 45,
      },
    },
    { after: 55, by: LEILA, reached: 100, of: 'Notify the insurer' },
    {
      after: 58,
      by: LEILA,
      update:
        'Payment cards are held by the processor, so they are not touched. Names, emails and travel dates may be. ' +
        'Priya is drafting the report to the privacy office, in case the forensics say so.',
    },
    { after: 72, by: ZOFIA, reached: 75, of: 'Text for passengers' },
    {
      after: 75,
      by: AMARA,
      note: 'The phone line gets about forty calls an hour. Most people only ask whether the ferry sails.',
      of: 'Text for passengers',
    },
    { after: 84, by: ZOFIA, reached: 100, of: 'Text for passengers' },
    {
      after: 130,
      by: HANA,
      task: {
        title: 'Find out how they came in',
        description:
          'Image two servers before anything is rebuilt. Look at remote access of the last 30 days.',
        priority: 'MEDIUM',
        to: HANA,
        minutes: 480,
      },
    },
    { after: 190, by: HANA, reached: 50, of: 'Find out how they came in' },
    {
      after: 240,
      by: MATEO,
      task: {
        title: 'Restore booking from the night backup',
        description:
          'On new machines in the second site. Sales since midnight are entered from the paper lists.',
        priority: 'HIGH',
        to: MATEO,
        minutes: 240,
      },
    },
    { after: 300, by: MATEO, reached: 25, of: 'Restore booking from the night backup' },
    {
      after: 366,
      by: HANA,
      note: 'An old supplier account without a second factor. It is closed, and so are eleven like it.',
      of: 'Find out how they came in',
    },
    { after: 367, by: HANA, reached: 100, of: 'Find out how they came in' },
    { after: 430, by: MATEO, reached: 75, of: 'Restore booking from the night backup' },
    { after: 511, by: MATEO, reached: 100, of: 'Restore booking from the night backup' },
    {
      after: 520,
      by: AMARA,
      update:
        'Sold the first online ticket since this morning. 212 paper tickets are entered, four are unreadable.',
    },
    { after: 545, by: ADMIN, resolve: true },
    {
      after: 545 + 3 * 1_440,
      by: PLANNER,
      analysis:
        '<h2>What happened</h2><p>A supplier account that nobody used any more let somebody in. Nine booking servers were ' +
        'encrypted before the first sailing, and for about nine hours no ticket could be sold online. No sailing was cancelled.</p>' +
        '<h2>What went well</h2><ul><li>The servers were cut off 14 minutes after the declaration.</li>' +
        '<li>The paper kits were where they should be, and both crews had practised with them in spring.</li></ul>' +
        '<h2>What we change</h2><ul><li>Supplier accounts end with their contract, and all of them need a second factor.</li>' +
        '<li>The backup of the booking system moves from nightly to hourly.</li>' +
        '<li>The text for passengers becomes part of the playbook; writing it took 43 minutes.</li></ul>',
    },
  ],
}

const FIRE_DRILL: DemoStory = {
  daysAgo: 47,
  at: 13 * 60,
  by: PLANNER,
  title: 'Exercise: engine room fire at berth 2',
  text:
    '<p><strong>This is an exercise.</strong> The evening ferry reports smoke in the engine room while 140 passengers ' +
    'are boarding. The fire is out after ten minutes, but the ship cannot leave.</p>' +
    '<p>We practise the first hour: people, berth, replacement ship, and what we say.</p>',
  severity: 'HIGH',
  isTabletop: true,
  recovery: [2, 'HOURS'],
  targets: [],
  tasks: [
    {
      title: 'Clear the berth and count people',
      description: 'Crew and passengers are counted at the assembly point and compared with the lists.',
      priority: 'HIGH',
      to: ERIK,
      idealTitle: 'Terminal manager',
      minutes: 15,
    },
    {
      title: 'Find a replacement ship',
      description: 'Which ship, which crew, and when at the earliest?',
      priority: 'MEDIUM',
      to: NOAH,
      idealTitle: 'Fleet engineer on duty',
      minutes: 40,
    },
  ],
  steps: [
    { after: 2, by: ERIK, checkIn: true },
    { after: 3, by: RESPONDER, checkIn: true },
    { after: 5, by: NOAH, checkIn: true },
    { after: 7, by: ZOFIA, checkIn: true },
    { after: 12, by: ERIK, reached: 75, of: 'Clear the berth and count people' },
    {
      after: 17,
      by: ERIK,
      note: '139 of 140 found. The missing one had gone back to her car and is on her way.',
      of: 'Clear the berth and count people',
    },
    { after: 20, by: ERIK, reached: 100, of: 'Clear the berth and count people' },
    { after: 28, by: NOAH, reached: 50, of: 'Find a replacement ship' },
    {
      after: 44,
      by: NOAH,
      update:
        'The small ferry could be here in 90 minutes, but her crew would exceed their hours on the way back.',
    },
    { after: 58, by: NOAH, reached: 100, of: 'Find a replacement ship' },
    { after: 75, by: PLANNER, resolve: true },
    {
      after: 75 + 1_440,
      by: PLANNER,
      analysis:
        '<p>Counting took 20 minutes instead of 15, because the car deck has no assembly point of its own.</p>' +
        '<ul><li>Car deck: mark an assembly point, and say so in the announcement.</li>' +
        '<li>Crew hours: the duty list gets a column for the hours that are left.</li></ul>',
    },
  ],
}

/** Stories in chronological order. */
export const STORIES: readonly DemoStory[] = [FIRE_DRILL, BOOKING]
