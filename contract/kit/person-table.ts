import { isEmailAddress } from './text.ts'

/** Fields of a person that the columns of a file can have. */
export const PERSON_FIELDS = [
  'firstName',
  'lastName',
  'fullName',
  'email',
  'phone',
  'secondPhone',
  'role',
  'type',
  'location',
  'department',
  'deputy',
  'list',
] as const
export type PersonField = (typeof PERSON_FIELDS)[number]

/** Column index by field. */
export type Columns = { readonly [F in PersonField]?: number | undefined }
/** Columns of a file, and what all its rows have without a column. */
export interface Assignment {
  readonly columns: Columns
  /** Contact list of everybody where no column is assigned. */
  readonly list: string
}

/**
 * Names that columns have in the exports of other products and in other languages, in order of preference: Outlook,
 * Google, HubSpot, BambooHR, Entra, Everbridge, AlertMedia, Okta, Workday, Slack; English, German, French, Turkish,
 * Spanish, Italian. Letter case, accents, blanks and punctuation do not matter.
 */
const NAMES: { readonly [F in PersonField]: string } = {
  firstName: `
    First Name | Given Name | Forename | Legal First Name | Preferred First Name | Legal Name - First Name
    Vorname | Rufname | Prénom | Prénom(s) | Ad | Adı | İsim | İlk Ad | Nombre | Nombre de pila | Primer nombre
    Nome | Nome di battesimo
  `,
  lastName: `
    Last Name | Surname | Family Name | Legal Last Name | Preferred Last Name | Legal Name - Last Name | sn
    Nachname | Familienname | Zuname | Nom de famille | Soyad | Soyadı | Soyisim | Apellido | Apellidos
    Primer apellido | Cognome
  `,
  fullName: `
    Full Name | Name | Contact Name | Display Name | Employee Name | Worker | Employee | Real Name | File As
    Vollständiger Name | Voller Name | Anzeigename | Vor- und Nachname | Nom complet | Nom affiché | Nom
    Nom et prénom | Ad Soyad | Adı Soyadı | İsim Soyisim | Tam Ad | Görünen Ad | Nombre completo
    Nombre y apellidos | Nome completo | Nome e cognome | Nominativo
  `,
  email: `
    Email Address | Email | Mail | E-mail 1 - Value | Email Address 1 | Email 1 | Work Email | Business Email
    Primary Email | Email - Work | Primary Work Email | Mail Address | E-Mail-Adresse | Mailadresse
    Adresse e-mail | Adresse électronique | Adresse de messagerie | Adresse mail | Courriel | E-posta
    E-posta adresi | Eposta | Correo electrónico | Correo | Dirección de correo electrónico | Indirizzo e-mail
    Posta elettronica | Home Email | Personal Email | User Principal Name | UPN | Login | E-mail 2 - Value
    Email Address 2 | E-mail 2 Address | Email 2 | Secondary Email | Alternate Email Address
  `,
  phone: `
    Phone Number | Mobile Phone | Mobile Phone Number | Mobile | Mobile Number | Cell Phone | Cell | SMS 1
    Phone | Phone 1 - Value | Phone 1 | Primary Phone | Telephone Number | Telephone | Business Phone
    Work Phone | Office Phone | Company Phone | Phone 2 - Value | Phone 2 | SMS 2 | Home Phone | Other Phone
    Telefonnummer | Handynummer | Handy | Mobiltelefon | Mobilnummer | Mobil | Telefon | Telefon mobil
    Telefon geschäftlich | Telefon (geschäftlich) | Festnetz | Numéro de téléphone | Téléphone portable
    Téléphone mobile | Portable | Téléphone | Tél. | Téléphone professionnel | Telefon Numarası | Cep Telefonu
    Cep | Cep Tel | İş Telefonu | Teléfono móvil | Móvil | Celular | Número de teléfono | Teléfono
    Teléfono del trabajo | Cellulare | Telefono cellulare | Numero di telefono | Telefono | Telefono ufficio
  `,
  secondPhone: `
    Second Phone Number | Second Phone | Secondary Phone | Phone Number 2 | Alternate Phone | Other Phone Number
    Zweite Telefonnummer | Weitere Telefonnummer | Deuxième numéro de téléphone | İkinci Telefon Numarası
    Segundo teléfono | Secondo numero di telefono
  `,
  role: 'Role | User Role | Rolle | Rôle | Rol | Ruolo',
  type: `
    External | Is External | User Type | Extern | Externe | Externer Benutzer | Externo | Esterno | Harici
    Dış Kullanıcı
  `,
  location: `
    Location | Location 1 | Office Location | Work Location | Office | Physical Delivery Office Name | Site
    Standort | Arbeitsort | Lieu | Lieu de travail | Emplacement | Konum | Lokasyon | Ubicación | Sede
    Posizione | City | Stadt | Ort | Ville | Şehir | Ciudad | Città
  `,
  department: `
    Department | Department Name | Abteilung | Département | Service | Departman | Bölüm | Birim | Departamento
    Dipartimento | Reparto | Supervisory Organization | Division
  `,
  deputy: `
    Deputy | Deputy Email | Substitute | Stand-in | Backup Contact | Stellvertreter | Stellvertretung | Vertreter
    Vertretung | Suppléant | Remplaçant | Vekil | Yedek | Suplente | Sostituto
  `,
  list: `
    Contact List | Contact Lists | List | Lists | List Name | Group | Groups | Group Name | Labels | Categories
    Group Membership | Distribution List | Tags | Kontaktliste | Kontaktlisten | Liste | Listen | Verteiler
    Gruppe | Gruppen | Kategorien | Liste de contacts | Listes | Groupe | Groupes | Catégories | Étiquettes
    Kişi Listesi | Listeler | Grup | Gruplar | Kategoriler | Lista de contactos | Lista | Listas | Grupo
    Grupos | Categorías | Etiquetas | Elenco | Elenchi | Gruppo | Gruppi | Categorie | Etichette
  `,
}

/** Compared form of a heading: letters and digits without case and accents, independent of language. */
export const foldedHeading = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')

/** Folded names of a field. */
const namesOf = (field: PersonField): string[] =>
  NAMES[field].split(/[|\n]/).map(foldedHeading).filter(Boolean)
const KNOWN: ReadonlySet<string> = new Set(PERSON_FIELDS.flatMap(namesOf))
/** Words for a first name that also stand above whole names. */
const WHOLE_NAMES: ReadonlySet<string> = new Set(['Ad', 'Adı', 'İsim', 'Nombre', 'Nome'].map(foldedHeading))
/** Words for a whole name that also stand above last names, beside a column of first names. */
const LAST_NAMES: ReadonlySet<string> = new Set(['Name', 'Nom'].map(foldedHeading))

/** The fields of people in a kind of import. */
export interface PersonFormat {
  /** Fields that columns can be assigned to, in the order of the assigning step. */
  readonly fields: readonly PersonField[]
  /** Fields of the template, in its order. */
  readonly template: readonly PersonField[]
  /** The fields that stand for a required field: any group of each. */
  readonly required: readonly (readonly (readonly PersonField[])[])[]
}
export const USER_FORMAT: PersonFormat = {
  fields: PERSON_FIELDS.filter((field) => field !== 'list'),
  template: ['firstName', 'lastName', 'email', 'phone', 'role', 'type', 'location', 'department'],
  required: [[['firstName', 'lastName'], ['fullName']], [['email']]],
}
export const CONTACT_FORMAT: PersonFormat = {
  fields: ['fullName', 'firstName', 'lastName', 'email', 'phone', 'secondPhone', 'list'],
  template: ['fullName', 'email', 'phone', 'list'],
  required: [[['email']], [['list']]],
}

/** Required fields without a column. */
export function missingFields({ required }: PersonFormat, { columns, list }: Assignment): PersonField[] {
  const has = (field: PersonField) => columns[field] !== undefined || (field === 'list' && list.trim() !== '')
  return required
    .filter((groups) => !groups.some((fields) => fields.every(has)))
    .flatMap(([fields = []]) => fields.filter((field) => !has(field)))
}

const isFilled = (cell: string): boolean => cell !== ''
/** Rows that are searched for the headings. */
const HEADING_ROWS = 30
/** The index of the row of headings: most known names, otherwise the first one with several cells. */
export function headingRowOf(rows: readonly (readonly string[])[]): number {
  const first = rows.slice(0, HEADING_ROWS)
  const known = first.map((row) => new Set(row.map(foldedHeading).filter((name) => KNOWN.has(name))).size)
  const most = Math.max(0, ...known)
  if (most > 0) return known.indexOf(most)
  const several = first.findIndex((row) => row.filter(isFilled).length > 1)
  return Math.max(0, several < 0 ? first.findIndex((row) => row.some(isFilled)) : several)
}

const SAMPLED_ROWS = 50
/** The column in which most cells are email addresses. */
function addressColumn(rows: readonly (readonly string[])[], width: number): number | undefined {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const counts = Array.from(
    { length: width },
    (_, column) => sample.filter((row) => isEmailAddress(row[column] ?? '')).length,
  )
  const most = Math.max(0, ...counts)
  return most > 0 ? counts.indexOf(most) : undefined
}

export interface Suggestion {
  readonly assignment: Assignment
  /** True if each heading means one field without doubt, so that nobody has to look. */
  readonly isCertain: boolean
}

/** Columns by their known names. */
function namedColumns(headings: readonly string[], { fields }: PersonFormat): Columns {
  const names = headings.map(foldedHeading)
  const columns: { [F in PersonField]?: number } = {}
  const taken = new Set<number>()
  const assign = (field: PersonField, known: readonly string[]) => {
    const candidates = known.flatMap((name) => {
      const column = names.findIndex((one, at) => one === name && !taken.has(at))
      return column < 0 ? [] : [column]
    })
    const [column] = candidates
    if (column === undefined || columns[field] !== undefined) return
    columns[field] = column
    taken.add(column)
  }
  for (const field of fields) assign(field, namesOf(field))
  if (fields.includes('secondPhone')) assign('secondPhone', namesOf('phone'))
  const { firstName, lastName, fullName } = columns
  const isNamed = (column: number | undefined, some: ReadonlySet<string>) =>
    column !== undefined && some.has(names[column]!)
  if (firstName !== undefined && lastName === undefined) {
    if (isNamed(fullName, LAST_NAMES)) return { ...columns, lastName: fullName, fullName: undefined }
    if (fullName === undefined && isNamed(firstName, WHOLE_NAMES))
      return { ...columns, fullName: firstName, firstName: undefined }
  }
  // A whole name is taken apart only where its parts have no columns.
  return firstName !== undefined && lastName !== undefined ? { ...columns, fullName: undefined } : columns
}

/**
 * Suggests columns by the known names of headings, and the addresses below them.
 * @param rows below the headings
 */
export function suggestColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  format: PersonFormat,
): Suggestion {
  const named = namedColumns(headings, format)
  const email = named.email ?? addressColumn(rows, widthOf([headings, ...rows.slice(0, SAMPLED_ROWS)]))
  const columns = named.email === undefined && email !== undefined ? { ...named, email } : named
  const assignment = { columns, list: '' }
  const unused = unusedColumns(headings, rows, columns)
  const isWhole =
    format.template.every((field) => columns[field] !== undefined) &&
    !unused.some((column) => KNOWN.has(foldedHeading(headings[column] ?? '')))
  const isDerived = format === USER_FORMAT && columns.fullName !== undefined
  const isCertain =
    named.email !== undefined &&
    missingFields(format, assignment).length === 0 &&
    !isDerived &&
    (isWhole || unused.length === 0)
  return { assignment, isCertain }
}

export const widthOf = (rows: readonly (readonly string[])[]): number =>
  rows.reduce((width, row) => Math.max(width, row.length), 0)

/** Columns with content that no field takes. */
export function unusedColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns: Columns,
): number[] {
  const used = new Set(Object.values(columns))
  const filled = new Set<number>()
  for (const row of rows) for (const [column, cell] of row.entries()) if (cell !== '') filled.add(column)
  return [...filled].filter((column) => !used.has(column)).sort((a, b) => a - b)
}

/** Stable key of a file's headings in their order, under which an assignment is remembered: FNV-1a of 64 bits. */
export function headingsKey(headings: readonly string[]): string {
  let hash = 0xcbf29ce484222325n
  for (const letter of headings.map(foldedHeading).join('\n'))
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0)!)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

/** Google's separator of several values in one cell. */
const SEVERAL = ' ::: '
/** The lines of a cell as one. */
const oneLine = (cell: string): string =>
  cell
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(isFilled)
    .join(' ')
const SUFFIX = /^(?:jr|sr|i{1,3}|iv|v|md|phd|esq|mba|dds)\.?$/i

/** First and last name of a whole one: "Last, First" by its comma, otherwise the last word is the last name. */
export function splitName(whole: string): { firstName: string; lastName: string } {
  const [last = '', first = '', ...more] = whole.split(',').map((part) => part.trim())
  if (first !== '' && more.length === 0 && !SUFFIX.test(first)) return { firstName: first, lastName: last }
  const words = whole.trim().split(/\s+/)
  // The suffix belongs to the last name: "Robert Smith, Jr."
  const lastAt = Math.max(
    1,
    words.findLastIndex((word) => !SUFFIX.test(word.replace(/,$/, ''))),
  )
  return { firstName: words.slice(0, lastAt).join(' '), lastName: words.slice(lastAt).join(' ') }
}

/** The names of several lists in one cell. */
export function splitLists(cell: string): string[] {
  // Google marks its own groups with an asterisk.
  const names = cell.split(/:::|[;|,\r\n]/).map((name) => name.trim().replace(/^\* +/, ''))
  return [...new Map(names.filter(isFilled).map((name) => [name.toLowerCase(), name])).values()]
}

/** The texts of a person in a row. Missing ones are empty. */
export interface PersonValues {
  readonly firstName: string
  readonly lastName: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly secondPhone: string
  readonly role: string
  readonly type: string
  readonly location: string
  readonly department: string
  readonly deputy: string
  readonly lists: readonly string[]
}

/** Reads the person of a row. */
export function personOf(row: readonly string[], { columns, list }: Assignment): PersonValues {
  const raw = (field: PersonField) => (columns[field] === undefined ? '' : (row[columns[field]] ?? ''))
  const text = (field: PersonField) => oneLine(raw(field))
  const whole = text('fullName')
  const split = columns.firstName === undefined && columns.lastName === undefined ? splitName(whole) : null
  const { firstName, lastName } = split ?? { firstName: text('firstName'), lastName: text('lastName') }
  // A repeated number is one number.
  const phones = new Map(
    [raw('phone'), raw('secondPhone')]
      .flatMap((cell) => cell.split(SEVERAL))
      .map((cell) => cell.trim())
      .filter(isFilled)
      .map((number) => [number.replace(/[^+\p{L}\p{N}]/gu, ''), number]),
  )
  const [phone = '', secondPhone = ''] = phones.values()
  return {
    firstName,
    lastName,
    name: whole || [firstName, lastName].filter(isFilled).join(' '),
    email: raw('email').split(SEVERAL)[0]!.trim(),
    phone,
    secondPhone,
    role: text('role'),
    type: text('type'),
    location: text('location'),
    department: text('department'),
    deputy: text('deputy'),
    lists: splitLists(columns.list === undefined ? list : raw('list')),
  }
}

/** A row below the headings. */
export interface PersonRow {
  /** Number of the row in its file. */
  readonly row: number
  readonly person: PersonValues
}
/** Reads the people below the headings, without blank rows. */
export const peopleOf = (
  rows: readonly (readonly string[])[],
  headingRow: number,
  assignment: Assignment,
): PersonRow[] =>
  rows.flatMap((row, index) =>
    index > headingRow && row.length > 0 ? [{ row: index + 1, person: personOf(row, assignment) }] : [],
  )
