interface DemoFile {
  readonly by: string
  readonly name: string
  readonly text: string
}
/** A folder in the root of the demonstration's file storage. */
export interface DemoFolder {
  readonly by: string
  readonly name: string
  readonly folderType: 'PUBLIC' | 'PRIVATE' | 'ADMIN'
  /** Names of groups that may open a private folder. */
  readonly groups?: readonly string[]
  readonly files: readonly DemoFile[]
  /** Folders inside. */
  readonly folders?: readonly { readonly name: string; readonly files: readonly DemoFile[] }[]
}

const ADMIN = 'admin@demo.example'
const RESPONDER = 'responder@demo.example'
const PLANNER = 'planner@demo.example'

/** Folders and files, minutes apart in this order. */
export const FOLDERS: readonly DemoFolder[] = [
  {
    by: PLANNER,
    name: 'Crisis plans',
    folderType: 'PUBLIC',
    files: [
      {
        by: PLANNER,
        name: 'First hour',
        text: `FIRST HOUR

1. Say in the room "Crisis team" that you are here.
2. Write down what is known, since when, and who said so.
3. Name one person who leads and one who writes.
4. Decide whether ferries keep sailing. The duty captain has the last word.
5. Call Communications before anybody outside is told.
`,
      },
      {
        by: RESPONDER,
        name: 'Without email and telephones',
        text: `WITHOUT EMAIL AND TELEPHONES

Meeting point: operations center, Pier 1, second floor.
Radio channel 8 for vessels, channel 12 for terminals.
Paper manifests are in the gray cabinet of each ticket office.
`,
      },
    ],
    folders: [
      {
        name: 'Exercises',
        files: [
          {
            by: PLANNER,
            name: 'Lessons of the spring exercise',
            text: `LESSONS OF THE SPRING EXERCISE

It took 26 minutes until somebody led. We now name the lead in the first message.
The list of vessels was a year old. Marine Operations renews it every quarter.
`,
          },
        ],
      },
    ],
  },
  {
    by: ADMIN,
    name: 'Insurance and contracts',
    folderType: 'PRIVATE',
    groups: ['Crisis team'],
    files: [
      {
        by: ADMIN,
        name: 'Cyber policy - whom to call',
        text: `CYBER POLICY: WHOM TO CALL

The insurer must hear of an incident within 48 hours.
Hotline: +1 902 555 0140, at any hour. Policy TF-2291-C.
Ask before you engage a forensics firm that is not on their list.
`,
      },
    ],
  },
  {
    by: ADMIN,
    name: 'Board papers',
    folderType: 'ADMIN',
    files: [
      {
        by: ADMIN,
        name: 'Resilience budget',
        text: `RESILIENCE BUDGET

Second operations center in Dartmouth, satellite telephones for six vessels, two exercises a year.
`,
      },
    ],
  },
]
