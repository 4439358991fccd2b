import { COMPONENTS, type JsonSchema } from './schemas.ts'

/** Example values of text fields by field name. Formats such as UUID need no entry. */
const TEXTS: Readonly<Record<string, string>> = {
  $autocomplete: 'east',
  $eq: 'team',
  adminFirstName: 'Ana',
  adminLastName: 'Costa',
  adminEmail: 'ana.costa@example.org',
  allowedIpAddresses: '203.0.113.7',
  confirmationCode: '1234',
  contactListIds: 'Building 2',
  content: '# Power failure\n\n## First hour\n\n- Start the generator: Fuel is in the shed behind gate B.\n',
  contractNumber: 'C-2026-014',
  currentPassword: 'Correct.Horse.7',
  decider: 'ana.costa@example.org',
  department: 'Facilities',
  deputy: 'bo.lund@example.org',
  description: 'The generator is running. Servers are safe until 18:00.',
  email: 'ana.costa@example.org',
  emailMessage: 'Both feeds are down. Please work from home until Thursday.',
  enterpriseCode: 'acme',
  enterpriseDomain: 'acme.example',
  enterpriseName: 'Acme',
  feUrl: 'https://muster.example',
  fileName: 'power-failure.md',
  fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  firstName: 'Ana',
  formattedDescription: '<p>The generator is <strong>running</strong>. Servers are safe until 18:00.</p>',
  formattedSectionDescription: '<p>Ask <strong>Facility</strong> for the key.</p>',
  fullText: '<p>Both feeds are down. The provider expects two hours.</p>',
  idealTitleToExecute: 'Facility manager',
  label: 'Fire brigade',
  lastName: 'Costa',
  link: 'https://authority.example/filings/2026-014',
  list: 'Building 2',
  location: 'Lisbon',
  maxUser: '50',
  messageId: '0b9e3f0a-58d8-4d3a-8a6f-3a0a3d1a7d11',
  name: 'Building 2',
  hours: '24',
  newPassword: 'Battery.Staple.8',
  owner: 'bo.lund@example.org',
  passcode: 'k7mw-p2xr-9fhd',
  password: 'Correct.Horse.7',
  phone: '+14165550123',
  phoneExtension: '55',
  phoneNumber: '+14165550123',
  postmortemDetails: '<p>The second feed shared a duct with the first.</p>',
  reason: 'The administrator asked for help with an import.',
  role: 'USER',
  secondPhoneExtension: '7',
  secondPhoneNumber: '+14165550199',
  section: 'Power',
  smsMessage: 'Building 2 is closed until Thursday.',
  subscriptionMaxUsers: '50',
  text: '<p>Who is on site?</p>',
  title: 'Power failure in building 2',
  to: '+14165550123',
  url: 'https://status.example/muster',
  valueJson: 'true',
  visitor: 'Bo Lee',
}

/** Examples of lists whose items depend on each other, by field name. */
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  answers: [
    { label: 'Safe', tone: 'GOOD' },
    { label: 'Need help', tone: 'ATTENTION' },
  ],
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '0b9e3f0a-58d8-4d3a-8a6f-3a0a3d1a7d11',
  'date-time': '2026-11-27T13:51:31.000Z',
  date: '2026-11-27',
  email: 'ana.costa@example.org',
}

interface Components {
  readonly [name: string]: JsonSchema
}

/** A value that the schema accepts, with every optional field. `name` is the field that holds it. */
export function exampleOf(schema: JsonSchema, components: Components, name = ''): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.slice(COMPONENTS.length)]!, components, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice) return exampleOf(choice, components, name)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, components, name))) as object
  return exampleOfType(schema, components, name)
}

function exampleOfType(schema: JsonSchema, components: Components, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema, components)
    case 'array':
      if (LISTS[name]) return LISTS[name]
      return typeof schema.items === 'object' ? [exampleOf(schema.items, components, name)] : []
    case 'string':
      return exampleOfText(schema, name)
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return schema.default ?? true
    default:
      return null
  }
}

const exampleOfObject = ({ properties = {} }: JsonSchema, components: Components) =>
  Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [field, exampleOf(schema, components, field)]),
  )

const exampleOfText = ({ format = '' }: JsonSchema, name: string): string =>
  FORMATS[format] ?? TEXTS[name] ?? 'Text'
