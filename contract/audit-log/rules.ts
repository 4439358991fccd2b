/** English for parts of a name that are not English words themselves. */
const WORDS: { readonly [part: string]: string } = {
  api: 'API',
  ip: 'IP',
  id: 'ID',
  sha256: 'SHA-256',
  sms: 'SMS',
}
/** Nouns whose name alone says too little to readers of the log. */
const NOUNS: { readonly [noun: string]: string } = {
  attachments: 'File of an incident or playbook',
  declarations: 'Inbound webhook',
  'incident-kinds': 'Kind of incidents',
  'incident-fields': 'Field of incidents',
  features: 'Feature',
  files: 'File or folder',
  'audit-log': 'Audit log',
  demonstration: 'Demonstration',
  rooms: 'Chat room',
  'config-items': 'Configuration',
  webhooks: 'Outbound webhook',
  welcome: 'Welcome package',
}
/** Sentences for events that noun and verb alone would describe badly. */
const EVENTS: { readonly [told: string]: string } = {
  'api-keys refused': 'API key used from an address that it is not for',
  'api-keys refused as expired': 'Expired API key used',
  'calls declined': 'Call declined',
  'calls missed': 'Call not answered',
  'calls rung': 'People called',
  'check-ins checked in': 'Checked in',
  'config-items changed': 'Configuration changed',
  'contacts imported': 'Contacts imported',
  'contacts list deleted': 'Contact list deleted',
  'demonstration completed': 'Demonstration was filled',
  'files access changed': 'Access to a folder changed',
  'files archived': 'Files downloaded as a ZIP file',
  'files version added': 'New version of a file added',
  'files version restored': 'Earlier version of a file restored',
  'duties drafted': 'Draft of a duty to report saved',
  'duties filed': 'Duty to report filed',
  'duties not needed': 'Duty to report not needed',
  'duties resumed': 'Clock of a duty to report runs again',
  'duties started': 'Clock of a duty to report started',
  'incidents analysed': 'Incident analysis changed',
  'incidents duplicate received': 'Duplicate merged into an incident',
  'mass-notifications escalated': 'Step of an escalation taken',
  'mass-notifications escalation stopped': 'Escalation stopped',
  'notifications created': 'People notified',
  'notifications read': 'Notifications read',
  'passwords reset asked for': 'Password reset asked for',
  'playbook-editors closed': 'Editor of a playbook closed',
  'playbook-editors opened': 'Playbook opened in an editor',
  'playbook-shares completed': 'Playbooks shared with child organizations',
  'playbook-shares requested': 'Sharing of playbooks requested',
  'playbooks moved': 'Category of a playbook changed',
  'playbooks received': 'Playbook received from the parent organization',
  'playbooks restored': 'Earlier version of a playbook restored',
  'rooms made a war room': 'Breakout room made a war room',
  'rooms members added': 'People added to a chat room',
  'rooms members removed': 'People taken out of a chat room',
  'rooms message deleted': 'Message deleted in a chat room',
  'rooms roles changed': 'Roles in a chat room changed',
  'second-factors code refused': 'Wrong code entered',
  'second-factors enrolled': 'Authenticator app enrolled',
  'second-factors locked out': 'Locked out after wrong codes',
  'second-factors removed': 'Authenticator app removed',
  'second-factors recovery code used': 'Recovery code used',
  'second-factors recovery codes renewed': 'Recovery codes renewed',
  'sessions ended': 'Signed out',
  'sessions started': 'Signed in',
  'sign-ins lockouts ended': 'Lockouts ended',
  'sign-ins locked out': 'Locked out after wrong passwords',
  'sign-ins slowed down': 'Sign-in slowed down after many wrong passwords',
  'sign-ins refused': 'Wrong password entered',
  'users access revoked': 'Sessions, links and calendar address ended',
  'users activation email sent': 'Activation email sent',
  'users password reset email sent': 'Password reset email sent',
  'users password set': 'Password set',
  'users picture changed': 'Picture changed',
  'users picture removed': 'Picture removed',
  'users sessions ended': 'Signed out on all devices by an administrator',
  'users terms accepted': 'Terms accepted',
  'verifications passed': 'Identity confirmed',
}
const FIELDS: { readonly [field: string]: string } = {
  allowedIpAddresses: 'Allowed IP addresses',
  expiresTimestamp: 'Expires',
  estimatedTimeToRecoveryTimeUnit: 'Unit of estimated time',
  fileVersion: 'Version',
  folderType: 'Kind of folder',
  formatting: 'Formatting of the description changed',
  fullText: 'Description',
  isActive: 'Active',
  isTabletop: 'Exercise',
  ipAddressRestricted: 'Restricted to IP addresses',
  itemsAdded: 'Headings and tasks added',
  itemsChanged: 'Headings and tasks changed',
  itemsMoved: 'Order of headings and tasks changed',
  itemsRemoved: 'Headings and tasks removed',
  postmortemDetails: 'Analysis',
  restoredFrom: 'Version restored',
  userIds: 'Members',
  visibleKeyPart: 'Key ends in',
}

const sentence = (parts: readonly string[]): string => {
  const written = parts.map((part) => WORDS[part.toLowerCase()] ?? part).join(' ')
  return written.charAt(0).toUpperCase() + written.slice(1)
}
const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<!s)s$/, '')

/** A kind of record in English, in the singular: `api-keys` is "API key". */
export function nounInWords(noun: string): string {
  const parts = noun.split('-')
  return NOUNS[noun] ?? sentence([...parts.slice(0, -1), singular(parts.at(-1) ?? '')])
}
/** An event in English: `groups deleted` is "Group deleted". Any noun and verb make a sentence. */
export const eventInWords = ({ noun, verb }: { readonly noun: string; readonly verb: string }): string =>
  EVENTS[`${noun} ${verb}`] ?? `${nounInWords(noun)} ${verb}`
/** A field in English: `assignedTo` is "Assigned to". */
export const fieldInWords = (field: string): string =>
  FIELDS[field] ?? sentence(field.split(/(?<=[a-z\d])(?=[A-Z])/).map((part) => part.toLowerCase()))

/** Fields with enumerated values. Text that people typed stays as it is. */
const CHOICES = /^(role|asked|types?|folderType|severity|status|priority|level|channel|state)$|TimeUnit$/

/** A changed value in English: `IN_PROGRESS` of a status is "In progress". */
export function valueInWords(field: string, value: string | null): string {
  if (value === null || value === '') return '–'
  if (value === 'true') return 'Yes'
  if (value === 'false') return 'No'
  // Several values are separated by commas.
  if (!CHOICES.test(field) || !/^[A-Z_]+(, [A-Z_]+)*$/.test(value)) return value
  return value
    .split(', ')
    .map((one) => sentence(one.toLowerCase().split('_')))
    .join(', ')
}

/** True for fields that hide their value in the log: passwords, tokens and the like. */
export const isSecret = (field: string): boolean =>
  /password|secret|token|credential|passphrase/i.test(field) || /^(key|code|hash)$/i.test(field)
