import { PRICE_ENTRY } from '#contract/kit/message-prices.ts'

/**
 * All configuration items. The catalogue feeds the platform configuration, the organisation's public
 * configuration, the feature toggles in access, the validation of new values, and the edit screens. Names are
 * those of the platform configuration (foundation §3).
 */
export type ConfigType = 'BOOLEAN' | 'INTEGER' | 'STRING' | 'ENUM' | 'STRING_LIST' | 'NUMBER_LIST'
/** Recipients of the value: the server alone, signed-in people, everybody. */
export type ConfigVisibility = 'BACKEND_ONLY' | 'FRONTEND_WITH_AUTH' | 'PUBLIC'
/**
 * Roles that change the value in the interface: nobody, the provider's staff, or organisation administrators as well.
 */
export type ConfigModifyAccess = 'DEVELOPMENT_TEAM_ONLY' | 'ENVIRONMENT_ADMIN' | 'ORGANIZATION_ADMIN'

interface Item<T extends ConfigType, V> {
  readonly type: T
  readonly default: V
  readonly description: string
  readonly groupTag: string
  readonly visibility: ConfigVisibility
  readonly modifyAccess: ConfigModifyAccess
  /** The choices of an ENUM, or the only permitted entries of a STRING_LIST. */
  readonly options?: readonly string[]
  /** The range of an INTEGER, and of each entry of a NUMBER_LIST. */
  readonly min?: number
  readonly max?: number
  /** Characters of a STRING, and entries of a list. */
  readonly maxLength?: number
  /** Minimum number of entries of a list. */
  readonly minLength?: number
  /** Pattern for a non-empty STRING or each entry of a STRING_LIST, with the message for a mismatch. */
  readonly pattern?: { readonly regex: RegExp; readonly problem: string }
  /** A further condition for a non-empty STRING, with the message of `pattern`. */
  readonly isValid?: (value: string) => boolean
  /** A STRING that is neither shown nor written to the audit log. Its default is empty. */
  readonly isSecret?: true
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
const whole = (
  value: number,
  [min, max]: readonly [min: number, max: number],
  description: string,
  rest: Rest,
): Item<'INTEGER', number> => ({ type: 'INTEGER', default: value, min, max, description, ...rest })
const words = (
  value: string,
  checks: Pick<Item<'STRING', string>, 'maxLength' | 'pattern' | 'isValid' | 'isSecret'>,
  description: string,
  rest: Rest,
): Item<'STRING', string> => ({ type: 'STRING', default: value, ...checks, description, ...rest })
const choice = (
  value: string,
  options: readonly string[],
  description: string,
  rest: Rest,
): Item<'ENUM', string> => ({ type: 'ENUM', default: value, options, description, ...rest })
const several = (
  value: readonly string[],
  checks: Pick<Item<'STRING_LIST', string>, 'options' | 'minLength' | 'maxLength' | 'pattern'>,
  description: string,
  rest: Rest,
): Item<'STRING_LIST', readonly string[]> => ({
  type: 'STRING_LIST',
  default: value,
  ...checks,
  description,
  ...rest,
})
const numbers = (
  value: readonly number[],
  checks: Pick<Item<'NUMBER_LIST', number>, 'min' | 'max' | 'minLength' | 'maxLength'>,
  description: string,
  rest: Rest,
): Item<'NUMBER_LIST', readonly number[]> => ({
  type: 'NUMBER_LIST',
  default: value,
  ...checks,
  description,
  ...rest,
})

/** Formats that the server detects from the content (decisions §5). */
const FILE_FORMATS = [
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
] as const
/** Formats that are detected and shown, too, but that each organisation has to allow. */
const OTHER_FILE_FORMATS = ['CSV', 'BMP', 'GIF', 'OGG', 'TIF', 'TIFF', 'WAV'] as const

const WEB_ADDRESS = {
  regex: /^https?:\/\/[^\s]+$/,
  problem: 'Please enter an address that begins with https:// or http://.',
}

/** True for the name of a time zone, such as Europe/Zurich. */
function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}

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
    "Characters of people's names: letters, spaces and periods, or what people are called, with hyphens, apostrophes, commas, brackets and digits, and with one name only.",
    of('Users', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  defaultPhoneCountry: words(
    '',
    {
      maxLength: 2,
      pattern: { regex: /^[A-Z]{2}$/, problem: 'Please enter a country as two capital letters, such as CA.' },
    },
    'The country of phone numbers that are written without a dial code; empty for the first whose numbers are accepted.',
    of('Users', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  multiIncident: yesNo(
    false,
    'Several incidents and exercises may run at the same time.',
    of('Incidents', 'PUBLIC'),
  ),
  maxActivitiesPerIncident: whole(
    1_000,
    [1, 10_000],
    'Tasks and updates that one incident can hold.',
    of('Incidents'),
  ),
  maxFileSize: whole(100, [1, 5_120], 'The largest file that can be uploaded, in MB.', of('Files')),
  maxFileUploadsAtOnce: whole(50, [1, 500], 'Files that can be uploaded at once.', of('Files')),
  fileLinksEnabled: yesNo(
    false,
    'People make links to files and folders for others without an account. Off, all links are closed.',
    of('Files', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  fileLinkMaxDays: whole(
    14,
    [1, 365],
    'Days that a link to a file or folder can be open at most.',
    of('Files', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  allowedFileExtensions: several(
    FILE_FORMATS,
    { options: [...FILE_FORMATS, ...OTHER_FILE_FORMATS] },
    'File formats that can be uploaded.',
    of('Files'),
  ),
  fileContentSearch: yesNo(
    true,
    'Files are found by the words in them. Their text is then kept unencrypted in the database; switching this off deletes it.',
    of('Files', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  sfs2fa: yesNo(false, 'Secure files open only after a second factor.', of('Files')),
  messageHistoryEditTimeout: whole(
    15,
    [0, 10_080],
    'Minutes after sending in which a message can be edited.',
    of('Chat'),
  ),
  dialInEnabled: yesNo(false, 'Calls can be joined by telephone, where a Jitsi carries them.', of('Chat')),
  callDialInNumbersUrl: words(
    '',
    { maxLength: 500, pattern: WEB_ADDRESS },
    'Where the telephone numbers of calls are listed, as Jitsi lists them; empty for none. They reach calls that a Jitsi carries.',
    of('Chat', 'BACKEND_ONLY'),
  ),
  callDialInMapperUrl: words(
    '',
    { maxLength: 500, pattern: WEB_ADDRESS },
    "Where Jitsi's conference mapper gives the PIN of a call; empty where the number of the call is its PIN.",
    of('Chat', 'BACKEND_ONLY'),
  ),
  callStunServers: several(
    [],
    {
      maxLength: 10,
      pattern: {
        regex: /^stuns?:[\w.:[\]-]{1,200}$/,
        problem: 'Please enter servers such as stun:stun.example.com:3478.',
      },
    },
    'STUN servers, by which browsers in calls find each other through a firewall.',
    of('Chat', 'BACKEND_ONLY'),
  ),
  callTurnServers: several(
    [],
    {
      maxLength: 10,
      pattern: {
        regex: /^turns?:[\w.:[\]-]{1,200}(\?transport=(udp|tcp))?$/,
        problem: 'Please enter servers such as turn:turn.example.com:3478.',
      },
    },
    'TURN servers, which pass on calls where no direct way is found. They need the shared secret.',
    of('Chat', 'BACKEND_ONLY'),
  ),
  callTurnSecret: words(
    '',
    { maxLength: 200, isSecret: true },
    'The shared secret of the TURN servers, from which credentials are made that end by themselves.',
    of('Chat', 'BACKEND_ONLY'),
  ),
  markAsPrivilegedEnabled: yesNo(false, 'War rooms can be marked as privileged.', of('Chat')),
  statementOfPrivilege: words(
    '',
    { maxLength: 1_000 },
    'The statement that a privileged war room shows.',
    of('Chat', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  chatRetentionDays: whole(
    0,
    [0, 36_500],
    'Days after which messages of the chat are deleted with their files; 0 keeps them.',
    of('Chat', 'BACKEND_ONLY'),
  ),
  streamApiKey: words(
    '',
    { maxLength: 100, pattern: { regex: /^[\w-]+$/, problem: 'Please enter a public key.' } },
    "The public key of the organisation's hosted chat service; empty for the built-in chat. It follows from the organisation's chat credentials.",
    of('Chat', 'PUBLIC', 'DEVELOPMENT_TEAM_ONLY'),
  ),
  playbookEnabled: yesNo(true, 'Playbooks are available.', of('Playbooks')),
  playbookMaxTemplates: whole(3, [0, 10_000], 'Playbooks that the organisation can keep.', of('Playbooks')),
  maxActivitiesPerPlaybook: whole(
    150,
    [1, 1_000],
    'Headings and tasks that one playbook can hold.',
    of('Playbooks'),
  ),
  playbookApproval: yesNo(
    false,
    'Changes of playbooks are drafts until somebody else approves them.',
    of('Playbooks', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  playbooksSharingEnabled: yesNo(false, 'Playbooks can be shared with child organisations.', of('Playbooks')),
  groupsEnabled: yesNo(true, 'User groups are available.', of('Users')),
  contactsAndMassNotificationsEnabled: yesNo(
    false,
    'The organisation subscribes to contacts and mass notifications.',
    of('Mass notifications'),
  ),
  contactsUploadMaxLimit: whole(
    100,
    [1, 100_000],
    'Contacts that one import can hold.',
    of('Mass notifications'),
  ),
  massNotifsSmsMessageLimit: whole(
    100,
    [1, 1_600],
    'Characters of an SMS or automated voice message.',
    of('Mass notifications'),
  ),
  massNotifsMaxEvents: whole(
    1_000,
    [0, 100_000_000],
    'Notifications that the organisation may send.',
    of('Mass notifications', 'BACKEND_ONLY'),
  ),
  massNotifsQuotaWarnings: numbers(
    [100],
    { min: 1, max: 1_000_000, maxLength: 10 },
    'Numbers of remaining notifications: where one is reached, administrators are warned by email. Below the largest, screens warn too.',
    of('Mass notifications'),
  ),
  massNotifsConfirmAbove: whole(
    100,
    [0, 100_000_000],
    'People above whom a notification is confirmed once more before it is sent, with the counts and the words.',
    of('Mass notifications'),
  ),
  massNotifsApprovalAbove: whole(
    0,
    [0, 100_000_000],
    'People above whom a second person approves a notification before it is sent. 0 for never.',
    of('Mass notifications'),
  ),
  massNotifsApprovalOfCritical: yesNo(
    false,
    'A second person approves each notification of the level Critical before it is sent.',
    of('Mass notifications'),
  ),
  massNotifsAnswerDays: whole(
    7,
    [1, 90],
    'Days for which the links to the question of a notification take answers.',
    of('Mass notifications'),
  ),
  updateMinutesCritical: whole(
    30,
    [0, 10_080],
    'Minutes from one update of a critical incident to the next. 0 for none.',
    of('Incidents', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  updateMinutesHigh: whole(
    60,
    [0, 10_080],
    'Minutes from one update of an incident of high severity to the next. 0 for none.',
    of('Incidents', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  updateMinutesMedium: whole(
    240,
    [0, 10_080],
    'Minutes from one update of an incident of medium severity to the next. 0 for none.',
    of('Incidents', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  updateMinutesLow: whole(
    0,
    [0, 10_080],
    'Minutes from one update of an incident of low severity to the next. 0 for none.',
    of('Incidents', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  situationReportApproval: yesNo(
    false,
    'A situation report is published once a second person has approved it.',
    of('Incidents', 'FRONTEND_WITH_AUTH', 'ORGANIZATION_ADMIN'),
  ),
  readinessExerciseDays: whole(
    90,
    [1, 1_000],
    'Days after the last exercise from which the readiness board says that the next one is due.',
    of('Incidents', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  readinessProofDays: whole(
    90,
    [1, 1_000],
    'Days for which a confirmed delivery or an answer proves on the readiness board that a person is reached, and after which a communication test is due.',
    of('Mass notifications', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  twilioAllowedCountryCodes: several(
    ['CA', 'US'],
    {
      minLength: 1,
      maxLength: 250,
      pattern: { regex: /^[A-Z]{2}$/, problem: 'Please enter countries as two capital letters, such as CA.' },
    },
    'Countries whose phone numbers are accepted.',
    of('Mass notifications'),
  ),
  twilioFromPhoneNumber: words(
    '',
    {
      maxLength: 16,
      pattern: {
        regex: /^\+[1-9]\d{6,14}$/,
        problem: 'Please enter a phone number as a plus sign and digits.',
      },
    },
    'The number that SMS and voice calls come from.',
    of('Mass notifications'),
  ),
  messagePrices: several(
    [],
    {
      maxLength: 500,
      pattern: {
        regex: PRICE_ENTRY,
        problem:
          'Please enter prices such as SMS +44 0.045 or VOICE_CALL +1 0.02; + alone is for all other numbers.',
      },
    },
    'Prices of an SMS and a call by the beginning of the number, such as SMS +44 0.045. With them the form of a notification says what it costs about.',
    of('Mass notifications', 'BACKEND_ONLY'),
  ),
  messageCurrency: words(
    'USD',
    {
      maxLength: 3,
      pattern: {
        regex: /^[A-Z]{3}$/,
        problem: 'Please enter a currency as three capital letters, such as EUR.',
      },
    },
    'The currency of the prices of SMS and calls.',
    of('Mass notifications', 'BACKEND_ONLY'),
  ),
  voiceLanguage: words(
    'en-US',
    {
      maxLength: 35,
      pattern: {
        regex: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/,
        problem: 'Please enter a language such as en-GB or fr-CA.',
      },
    },
    'The language in which calls are spoken, and of our words in SMS and on the answer page, such as en-GB or fr-CA.',
    of('Mass notifications'),
  ),
  timeZone: words(
    '',
    {
      maxLength: 50,
      pattern: { regex: /^[A-Za-z][\w+/-]*$/, problem: 'Please enter a time zone such as America/Toronto.' },
      isValid: isTimeZone,
    },
    'The time zone in which reports write times, beside UTC; empty for UTC alone.',
    of('General', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  mailReplyTo: words(
    '',
    {
      maxLength: 254,
      pattern: {
        regex: /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)*$/,
        problem: 'Please enter one email address.',
      },
    },
    "Where answers to the product's mails go; empty for the sender's address.",
    of('General', 'BACKEND_ONLY', 'ORGANIZATION_ADMIN'),
  ),
  fileQuotaMegabytes: whole(
    10_240,
    [0, 10_485_760],
    'Storage for files of the organisation, in MB.',
    of('Files', 'BACKEND_ONLY'),
  ),
  manageAdminToolId: words(
    '',
    { maxLength: 100, pattern: { regex: /^[\w.:-]+$/, problem: 'Please enter an identifier.' } },
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
      : T extends { type: 'NUMBER_LIST' }
        ? readonly number[]
        : string
export type ConfigValue<K extends ConfigKey = ConfigKey> = Value<(typeof CONFIG)[K]>
/** All values of one organisation. */
export type Config = { readonly [K in ConfigKey]: Value<(typeof CONFIG)[K]> }
export type ConfigItemDeclaration = Item<ConfigType, ConfigValue>
export const CONFIG_KEYS = Object.keys(CONFIG) as ConfigKey[]

/**
 * Each value comes from the organisation's override, the global override or the default, in this order (decisions §3).
 */
export function configOf(organisation: Partial<Config>, global: Partial<Config> = {}): Config {
  const entries = CONFIG_KEYS.map((key) => [key, organisation[key] ?? global[key] ?? CONFIG[key].default])
  return Object.fromEntries(entries)
}

/** The values that the given levels of visibility may see. */
export function visibleConfig(config: Config, ...levels: ConfigVisibility[]): Partial<Config> {
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => levels.includes(CONFIG[key as ConfigKey].visibility)),
  )
}
