/**
 * Every configuration item, once: it feeds the platform configuration, the organisation's public configuration, the
 * feature toggles in access, and the console's screens. Names are those of the platform configuration (foundation §3).
 */
export type ConfigType = 'BOOLEAN' | 'INTEGER' | 'STRING' | 'ENUM' | 'STRING_LIST'
/** Who receives the value: nobody outside the server, signed-in people, everybody. */
export type ConfigVisibility = 'BACKEND_ONLY' | 'FRONTEND_WITH_AUTH' | 'PUBLIC'
export type ConfigModifyAccess = 'DEVELOPMENT_TEAM_ONLY' | 'ENVIRONMENT_ADMIN' | 'ORGANIZATION_ADMIN'

interface Item<T extends ConfigType, V> {
  readonly type: T
  readonly default: V
  readonly description: string
  readonly groupTag: string
  readonly visibility: ConfigVisibility
  readonly modifyAccess: ConfigModifyAccess
  /** For ENUM: what may be chosen. */
  readonly options?: readonly string[]
}

type Rest = Pick<Item<ConfigType, unknown>, 'groupTag' | 'visibility' | 'modifyAccess'>
const of = (
  groupTag: string,
  visibility: ConfigVisibility = 'FRONTEND_WITH_AUTH',
  modifyAccess: ConfigModifyAccess = 'ENVIRONMENT_ADMIN',
): Rest => ({ groupTag, visibility, modifyAccess })

const yesNo = (value: boolean, description: string, rest: Rest): Item<'BOOLEAN', boolean> => ({
  type: 'BOOLEAN',
  default: value,
  description,
  ...rest,
})
const whole = (value: number, description: string, rest: Rest): Item<'INTEGER', number> => ({
  type: 'INTEGER',
  default: value,
  description,
  ...rest,
})
const words = (value: string, description: string, rest: Rest): Item<'STRING', string> => ({
  type: 'STRING',
  default: value,
  description,
  ...rest,
})
const choice = (
  value: string,
  options: readonly string[],
  description: string,
  rest: Rest,
): Item<'ENUM', string> => ({
  type: 'ENUM',
  default: value,
  options,
  description,
  ...rest,
})
const several = (
  value: readonly string[],
  description: string,
  rest: Rest,
): Item<'STRING_LIST', readonly string[]> => ({
  type: 'STRING_LIST',
  default: value,
  description,
  ...rest,
})

export const CONFIG = {
  auth2fa: yesNo(false, 'People confirm their sign-in with a second factor.', of('Sign-in')),
  auth2faType: choice(
    'TOTP',
    ['TOTP', 'EMAIL'],
    'The second factor: an authenticator app or an emailed code.',
    of('Sign-in'),
  ),
  nameCharacters: choice(
    'STANDARD',
    ['STANDARD', 'EXTENDED'],
    "Characters of people's names: letters, spaces and periods, or also hyphens and apostrophes.",
    of('Users', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  multiIncident: yesNo(
    false,
    'Several incidents and exercises may run at the same time.',
    of('Incidents', 'PUBLIC'),
  ),
  maxActivitiesPerIncident: whole(1_000, 'Tasks and updates that one incident can hold.', of('Incidents')),
  maxFileSize: whole(100, 'The largest file that can be uploaded, in MB.', of('Files')),
  maxFileUploadsAtOnce: whole(50, 'Files that can be uploaded at once.', of('Files')),
  allowedFileExtensions: several(
    [
      'PDF',
      'DOC',
      'DOCX',
      'TXT',
      'JPG',
      'JPEG',
      'PNG',
      'WEBP',
      'HEIC',
      'XLS',
      'XLSX',
      'PPT',
      'PPTX',
      'MOV',
      'MP3',
      'MP4',
    ],
    'File formats that can be uploaded.',
    of('Files'),
  ),
  sfs2fa: yesNo(false, 'Secure files open only after a second factor.', of('Files')),
  messageHistoryEditTimeout: whole(15, 'Minutes after sending in which a message can be edited.', of('Chat')),
  dialInEnabled: yesNo(false, 'Calls can be joined by telephone.', of('Chat')),
  markAsPrivilegedEnabled: yesNo(false, 'War rooms can be marked as privileged.', of('Chat')),
  statementOfPrivilege: words(
    '',
    'The statement that a privileged war room shows.',
    of('Chat', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  streamApiKey: words(
    '',
    "The public key of the organisation's hosted chat service; empty for the built-in chat.",
    of('Chat', 'PUBLIC'),
  ),
  playbookEnabled: yesNo(true, 'Playbooks are available.', of('Playbooks')),
  playbookMaxTemplates: whole(3, 'Playbooks that the organisation can keep.', of('Playbooks')),
  maxActivitiesPerPlaybook: whole(150, 'Headings and tasks that one playbook can hold.', of('Playbooks')),
  playbooksSharingEnabled: yesNo(false, 'Playbooks can be shared with child organisations.', of('Playbooks')),
  groupsEnabled: yesNo(true, 'User groups are available.', of('Users')),
  contactsAndMassNotificationsEnabled: yesNo(
    false,
    'The organisation subscribes to contacts and mass notifications.',
    of('Mass notifications'),
  ),
  contactsUploadMaxLimit: whole(100, 'Contacts that one import can hold.', of('Mass notifications')),
  massNotifsSmsMessageLimit: whole(
    100,
    'Characters of an SMS or automated voice message.',
    of('Mass notifications'),
  ),
  massNotifsMaxEvents: whole(
    1_000,
    'Notifications that the organisation may send.',
    of('Mass notifications', 'BACKEND_ONLY'),
  ),
  twilioAllowedCountryCodes: several(
    ['CA', 'US'],
    'Countries whose phone numbers are accepted.',
    of('Mass notifications'),
  ),
  twilioFromPhoneNumber: words(
    '',
    'The number that SMS and voice calls come from.',
    of('Mass notifications'),
  ),
  fileQuotaMegabytes: whole(
    10_240,
    'Storage for files of the organisation, in MB.',
    of('Files', 'BACKEND_ONLY'),
  ),
  manageAdminToolId: words(
    '',
    'Identifier of the in-app guidance tool; empty for none.',
    of('General', 'PUBLIC'),
  ),
} as const

export type ConfigKey = keyof typeof CONFIG
type Value<T> = T extends { type: 'BOOLEAN' }
  ? boolean
  : T extends { type: 'INTEGER' }
    ? number
    : T extends { type: 'STRING_LIST' }
      ? readonly string[]
      : string
/** All values of one organisation. */
export type Config = { readonly [K in ConfigKey]: Value<(typeof CONFIG)[K]> }
export const CONFIG_KEYS = Object.keys(CONFIG) as ConfigKey[]

/** Values come from, in order: the organisation's override, the global override, the default (decisions §3). */
export function configOf(organisation: Partial<Config>, global: Partial<Config> = {}): Config {
  const entries = CONFIG_KEYS.map((key) => [key, organisation[key] ?? global[key] ?? CONFIG[key].default])
  return Object.fromEntries(entries)
}

/** The values that may be seen at a level of visibility. */
export function visibleConfig(config: Config, ...levels: ConfigVisibility[]): Partial<Config> {
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => levels.includes(CONFIG[key as ConfigKey].visibility)),
  )
}
