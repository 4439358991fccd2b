import { join } from 'node:path'

import type { Rolldown } from 'vite'

type NameOf = Rolldown.CodeSplittingNameFunction
type Graph = Parameters<NameOf>[1]

const STEPS = {
  start: ['src/main.tsx', 'src/app/PublicApp.tsx'],
  public: [
    'src/sign-in/SecondFactor.tsx',
    'src/sign-in/SetPasswordPage.tsx',
    'src/staff-sign-in/StaffSignInPage.tsx',
    'src/welcome/WelcomePage.tsx',
    'src/file-links/LinkPage.tsx',
    'src/file-links/LinkContents.tsx',
    'src/file-links/DropBox.tsx',
  ],
  application: [
    'src/app/App.tsx',
    'src/dashboard/DashboardPage.tsx',
    'src/dashboard/AskedOfMe.tsx',
    'src/kit/feedback/Toasts.tsx',
  ],
  console: ['src/app/console/Console.tsx'],
}
type Step = keyof typeof STEPS

/** react-admin's controllers of lists and forms, and what only these need. */
const CONTROLLERS =
  /jsonexport|inflection|ra-core\/dist\/(controller\/(list|edit|create|saveContext)|export|form\/(Form\.|useAugmented|getForm)|dataProvider\/use(Update|Create|MutationW)|core\/useGetResourceLabel)/
/** Parts of react-admin's index that no first page needs. */
const OF_LATER_PAGES = new RegExp(`ra-ui-materialui|${CONTROLLERS.source}`)
/** Declared resources. */
const RESOURCES = new RegExp(String.raw`kit[\\/]resource|${CONTROLLERS.source}`)

/** Readers of tables, which only dialogs of imports need. */
const TABLES = /kit[\\/](person-table|encodings|table|import-table[\\/]\w+)\.tsx?$/

const known = new Map<Step, ReadonlySet<string>>()
/** The modules that must be loaded before the files of a step run. */
function neededBy(step: Step, graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id) || OF_LATER_PAGES.test(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const file of STEPS[step]) add(join(import.meta.dirname, file))
  known.set(step, found)
  return found
}
const isNeeded = (step: Step, id: string, graph: Graph) => (known.get(step) ?? neededBy(step, graph)).has(id)

/** A module of the first page of a visit. */
const ofFirstPages: NameOf = (id, graph) => {
  if (isNeeded('start', id, graph)) return 'start'
  if (!isNeeded('application', id, graph)) return null
  if (/src[\\/]dashboard[\\/](?!queries)/.test(id)) return 'dashboard'
  return isNeeded('public', id, graph) ? 'requests' : 'application'
}
const ofForms: NameOf = (id, graph) => (isNeeded('public', id, graph) ? 'forms' : null)
const ofTheConsole: NameOf = (id, graph) => (isNeeded('console', id, graph) ? 'console' : null)

/** Pictures that only kinds of incidents have. */
const KIND_ICONS =
  'AccountBalanceRounded|BoltRounded|FlightRounded|HubRounded|Inventory2Rounded|LocalFireDepartmentRounded|LocalHospitalRounded|NotificationImportantRounded|ParkRounded|PaymentsRounded|PersonalInjuryRounded|PrecisionManufacturingRounded|SecurityRounded|ThunderstormRounded|WaterRounded'

/** Chunks of shared modules; the first match wins. Other modules belong to a page's own chunk. */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { name: ofFirstPages, priority: 5 },
  { name: ofForms, minShareCount: 4, priority: 4 },
  // Kinds and own fields of incidents load where an organisation has some.
  {
    name: 'own-fields',
    test: new RegExp(
      String.raw`incidents[\\/]kinds[\\/](KindIcon|SeveralInput|queries)|i18n[\\/](own-fields|incident-kinds)\.ts|contract[\\/]incident-(kinds|fields)[\\/](api|schema|rules)|icons-material[\\/](esm[\\/])?(${KIND_ICONS})\b`,
    ),
    minShareCount: 2,
    priority: 4,
    includeDependenciesRecursively: false,
  },
  { name: 'icons', test: /@mui[\\/]icons-material/, minShareCount: 2, priority: 3 },
  {
    name: 'resources',
    test: RESOURCES,
    minShareCount: 4,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Loaded with the library of phone numbers.
  {
    name: 'phone',
    test: /contract[\\/]kit[\\/]phone\.ts/,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the dialogs and forms that take a playbook decide by them. Groups of options go along.
  {
    name: 'playbook-rules',
    test: /contract[\\/]playbooks[\\/]rules\.ts|form[\\/]optionGroup\.tsx/,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the pages of playbooks, and the parts of incidents that take one.
  {
    name: 'playbooks',
    test: /contract[\\/](incident-)?playbooks[\\/](api|schema)\.ts|src[\\/]playbooks[\\/]dialogs[\\/](queries|CategorySelect)/,
    minShareCount: 4,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the console manages organisations.
  {
    name: 'managed',
    test: /contract[\\/]managed-\w+[\\/]/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the pages of notifications, their templates and their contacts.
  {
    name: 'notifications',
    test: /(contract|src)[\\/](mass-notifications|notification-templates|notification-questions|notification-approvals|notification-escalations)[\\/]|i18n[\\/]escalations\.ts$|contract[\\/]contacts[\\/]/,
    minShareCount: 4,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the tables of users and contacts, and the picker of contacts.
  {
    name: 'suppressions',
    test: /(contract|src)[\\/]suppressions[\\/](?!SuppressionDialog|PersonMark|context)/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the lists of messages of all rooms, and the search.
  {
    name: 'message-lists',
    test: /src[\\/]chat[\\/](lists[\\/](Messages|List)Panel|message[\\/]FoundMessage)\.tsx$/,
    minShareCount: 2,
    priority: 4,
    includeDependenciesRecursively: false,
  },
  // Only the chat and the pages with its parts need its store and its rules.
  {
    name: 'chat',
    test: /(contract|providers|src)[\\/](chat|calls|channels)[\\/]/,
    minShareCount: 4,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Texts and times of incidents and playbooks, as they are shown and typed.
  {
    name: 'texts',
    test: /(rich-text[\\/](RichTextView|FormattedText|DescriptionField|CodeBlock)|playbooks[\\/](TimeFields|typedTime))\.tsx?$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only the parts for command of an incident's page and of its room.
  {
    name: 'command',
    test: /contract[\\/]incident-roles[\\/](api|schema)\.ts$|incidents[\\/]command[\\/](queries|durationWords)\.ts$|i18n[\\/]command\.ts$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only dialogs of an incident's parts for command: decisions, follow-ups and duties.
  {
    name: 'command-dialogs',
    test: /incidents[\\/](decisions[\\/](DecisionDialog|WordsField|useFields)|timeline[\\/]WhenField)\.tsx?$|contract[\\/]incident-decisions[\\/]schema\.ts$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Fields that the first views of the chat and of lists do not need.
  {
    name: 'fields',
    test: /(users[\\/]PersonPicker|rich-text[\\/]RichText)\.tsx$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // Only dialogs that correct an incident, and its form.
  {
    name: 'corrections',
    test: /incidents[\\/]correct[\\/]ReasonField\.tsx$|i18n[\\/]corrections\.ts$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // The field of dates, which the first view of the chat does not need.
  {
    name: 'dates',
    test: /(form[\\/]MomentField|time[\\/]dateHabits|kit[\\/]moments)\.tsx?$/,
    minShareCount: 2,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  // The layouts of files share names and marks, which no other page has.
  {
    name: 'files',
    test: /src[\\/]files[\\/]/,
    minShareCount: 4,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  { name: 'tables', test: TABLES, minShareCount: 4, priority: 3, includeDependenciesRecursively: false },
  { name: 'vendor', test: /[\\/]node_modules[\\/]/, minShareCount: 4, priority: 2 },
  { name: 'lists', test: /[\\/]kit[\\/]list[\\/]/, minShareCount: 4, priority: 2 },
  { name: 'kit', minShareCount: 4, priority: 1 },
  { name: ofTheConsole, priority: 0 },
]
