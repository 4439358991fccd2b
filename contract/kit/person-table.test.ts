import { read } from '@e965/xlsx'
import { Inflate } from 'fflate'
import { describe, expect, test } from 'vitest'

import {
  CONTACT_FORMAT,
  headingRowOf,
  headingsKey,
  missingFields,
  peopleOf,
  type PersonFormat,
  type PersonValues,
  splitLists,
  splitName,
  suggestColumns,
  unusedColumns,
  USER_FORMAT,
} from './person-table.ts'
import { readTable } from './table.ts'

function readPeople(content: string | Uint8Array, format: PersonFormat) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const { rows } = readTable(bytes, { readWorkbook: read, Inflate }).sheets[0]!
  const headingRow = headingRowOf(rows)
  const headings = rows[headingRow]!
  const below = rows.slice(headingRow + 1)
  const { assignment, isCertain } = suggestColumns(headings, below, format)
  const named = Object.fromEntries(
    Object.entries(assignment.columns).flatMap(([field, column]) =>
      column === undefined ? [] : [[field, headings[column]]],
    ),
  )
  return {
    named,
    isCertain,
    unused: unusedColumns(headings, below, assignment.columns).map((column) => headings[column]),
    missing: missingFields(format, assignment),
    people: peopleOf(rows, headingRow, assignment),
  }
}
const usersIn = (content: string | Uint8Array) => readPeople(content, USER_FORMAT)
const contactsIn = (content: string | Uint8Array) => readPeople(content, CONTACT_FORMAT)
/** Row number, name, address, numbers and lists of contacts. */
const briefly = ({ people }: ReturnType<typeof readPeople>) =>
  people.map(({ row, person: { name, email, phone, secondPhone, lists } }) => [
    row,
    name,
    email,
    phone,
    secondPhone,
    lists.join('+'),
  ])
const TEXTS = ['firstName', 'lastName', 'email', 'phone', 'role', 'type', 'location', 'department'] as const
const userTexts = ({ people }: ReturnType<typeof readPeople>) =>
  people.map(({ row, person }) => [row, ...TEXTS.map((field: keyof PersonValues) => person[field])])

const OUTLOOK = `"Title","First Name","Middle Name","Last Name","Suffix","Company","Department","Job Title","Business Street","Business Phone","Home Phone","Mobile Phone","E-mail Address","E-mail Type","E-mail Display Name","Categories","Notes"\r
"","Renée","","Tremblay","","Québec Énergie","Operations","Chef d’équipe","12 rue de l’Église","(418) 555-0142","","+1 (418) 555-0177","renee.tremblay@outlook.example","SMTP","Renée Tremblay (renee.tremblay@outlook.example)","Board;Crisis",""\r
"Mr.","Sean","P","O'Brien","Jr.","Harbour Co","","","","+1 416 555 0101","","","sean.obrien@outlook.example","SMTP","","","met at ""Summit"", 2025\r
call back"\r
`
const GOOGLE = `First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Organization Title,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value
小龙,,李,,,,,Harbour,,,,,Crisis ::: * myContacts,* Work,xiaolong.li@google.example,,,Mobile,+86 138 0013 8000 ::: +86 10 6552 9988
Priya,,,,,,,,,,,,* myContacts,"* ",priya@google.example,,,Mobile,+91 98765 43210
`
const HUBSPOT = `"Record ID","First Name","Last Name","Email","Phone Number","Contact owner","Lead Status","Create Date (EST)","Company"
"51","José-María","Núñez","jm.nunez@hubspot.example","+34 612 34 56 78","","Open","2026-01-03 11:02",""
"52","Anna","van der Berg","anna.vanderberg@hubspot.example","+31 6 12345678","","","2026-01-03 11:03",""
`
const ENTRA = `\uFEFFuserPrincipalName,displayName,surname,mail,givenName,id,userType,jobTitle,department,accountEnabled,usageLocation,streetAddress,state,country,officeLocation,city,postalCode,telephoneNumber,mobilePhone,alternateEmailAddress,ageGroup,consentProvidedForMinor,legalAgeGroupClassification,companyName,creationType,directorySynced,invitationState,identityIssuer,createdDateTime\r
g.muller@azure.example,Günther Müller,Müller,G.Muller@azure.example,Günther,6a1,Member,CISO,Security,True,DE,,,Germany,Berlin,Berlin,,+49 30/901820-123,+49 (0)151 23456789,,,,,,,True,,,2025-10-10 08:00:00Z\r
`
const EVERBRIDGE = `First Name,Middle Initial,Last Name,Suffix,External ID,Country,Business Name,Record Type,Phone 1,Phone Country 1,Extension Phone 1,Extension 1,Extension Phone Country 1,SMS 1,SMS 1 Country,Email Address 1,Email Address 2,Location 1,Street Address 1,Groups,END\r
Maria,L,García,,EB-7,US,,Employee,4165550101,CA,4165550000,1234,CA,4165550101,CA,maria.garcia@everbridge.example,,HQ,1 Main St,Crisis Team|All Staff,END\r
`

describe('contacts of', () => {
  test('Outlook, in Windows-1252, have their mobile first, and a list for each category', () => {
    const codes: Record<string, number> = { '’': 0x92 }
    const bytes = Uint8Array.from(OUTLOOK, (letter) => codes[letter] ?? letter.charCodeAt(0))
    const outlook = contactsIn(bytes)
    expect(briefly(outlook)).toEqual([
      [
        2,
        'Renée Tremblay',
        'renee.tremblay@outlook.example',
        '+1 (418) 555-0177',
        '(418) 555-0142',
        'Board+Crisis',
      ],
      [3, "Sean O'Brien", 'sean.obrien@outlook.example', '+1 416 555 0101', '', ''],
    ])
    expect(outlook.isCertain).toBe(false)
    expect(outlook.unused).toContain('Notes')
  })

  test('Google have both numbers and both labels of a cell', () => {
    const google = contactsIn(GOOGLE)
    expect(briefly(google)).toEqual([
      [
        2,
        '小龙 李',
        'xiaolong.li@google.example',
        '+86 138 0013 8000',
        '+86 10 6552 9988',
        'Crisis+myContacts',
      ],
      [3, 'Priya', 'priya@google.example', '+91 98765 43210', '', 'myContacts'],
    ])
  })

  test('HubSpot need a list, which everybody can be put into', () => {
    const hubspot = contactsIn(HUBSPOT)
    expect([hubspot.missing, hubspot.isCertain]).toEqual([['list'], false])
    expect(briefly(hubspot)[0]).toEqual([
      2,
      'José-María Núñez',
      'jm.nunez@hubspot.example',
      '+34 612 34 56 78',
      '',
      '',
    ])
    const rows = [['Email'], ['a@b.example']]
    const assignment = { columns: { email: 0 }, list: ' Board ' }
    expect(missingFields(CONTACT_FORMAT, assignment)).toEqual([])
    expect(peopleOf(rows, 0, assignment)[0]!.person.lists).toEqual(['Board'])
  })

  test('Everbridge have each number once, and their groups', () => {
    expect(briefly(contactsIn(EVERBRIDGE))).toEqual([
      [2, 'Maria García', 'maria.garcia@everbridge.example', '4165550101', '', 'Crisis Team+All Staff'],
    ])
  })

  test('a spreadsheet have the values of its cells', () => {
    const traps = contactsIn(`Name,Email Address,Phone Number,Contact List\r
Form,form@trap.example,"=""+14165550124""",T\r
Apos,apos@trap.example,'+14165550125,T\r
Hash,hash@trap.example,########,T\r
Hyper,hyper@trap.example,+14165550126,"=HYPERLINK(""http://x.example"",""T"")"\r
"Multi\r
Line",multi@trap.example,+14165550127,T\r
`)
    expect(traps.isCertain).toBe(true)
    expect(briefly(traps)).toEqual([
      [2, 'Form', 'form@trap.example', '+14165550124', '', 'T'],
      [3, 'Apos', 'apos@trap.example', '+14165550125', '', 'T'],
      [4, 'Hash', 'hash@trap.example', '########', '', 'T'],
      [5, 'Hyper', 'hyper@trap.example', '+14165550126', '', 'T'],
      [6, 'Multi Line', 'multi@trap.example', '+14165550127', '', 'T'],
    ])
  })

  test('a column of addresses without a known name are found by the addresses', () => {
    const { named, isCertain } = contactsIn('Reach,Board\na@b.example,Crisis\nc@d.example,Crisis\n')
    expect([named, isCertain]).toEqual([{ email: 'Reach' }, false])
  })
})

describe('users of', () => {
  test('HubSpot need a look, because columns are left over', () => {
    const hubspot = usersIn(HUBSPOT)
    expect([hubspot.missing, hubspot.isCertain]).toEqual([[], false])
    expect(hubspot.unused).toEqual(['Record ID', 'Lead Status', 'Create Date (EST)'])
  })

  test('Entra have the address of their mailbox, and their mobile first', () => {
    const { named, people } = usersIn(ENTRA)
    expect(named).toEqual({
      firstName: 'givenName',
      lastName: 'surname',
      email: 'mail',
      phone: 'mobilePhone',
      secondPhone: 'telephoneNumber',
      type: 'userType',
      location: 'officeLocation',
      department: 'department',
    })
    expect(people[0]!.person).toMatchObject({
      phone: '+49 (0)151 23456789',
      secondPhone: '+49 30/901820-123',
      type: 'Member',
    })
  })

  test.each([
    [
      '\uFEFFVorname;Nachname;E-Mail-Adresse;Telefonnummer;Rolle;Extern;Standort;Abteilung\r\nJürgen;Groß;juergen.gross@german.example;+49 151 23456789;USER;NEIN;München;IT\r\n',
      ['Jürgen', 'Groß', 'juergen.gross@german.example', '+49 151 23456789', 'USER', 'NEIN', 'München', 'IT'],
    ],
    [
      '\uFEFFFİRST NAME;LAST NAME;EMAİL ADDRESS;PHONE NUMBER;ROLE;EXTERNAL;LOCATİON;DEPARTMENT\nIşıl;Çağlar;ISIL@turkish.example;+90 532 123 45 67;USER;HAYIR;İzmir;\n',
      ['Işıl', 'Çağlar', 'ISIL@turkish.example', '+90 532 123 45 67', 'USER', 'HAYIR', 'İzmir', ''],
    ],
    [
      '\uFEFFPrénom;Nom;Courriel;Téléphone;Rôle;Externe;Lieu;Service\nZoé;Lefèvre;zoe@french.example;+33 6 12 34 56 78;USER;OUI;Orléans;Études\n',
      ['Zoé', 'Lefèvre', 'zoe@french.example', '+33 6 12 34 56 78', 'USER', 'OUI', 'Orléans', 'Études'],
    ],
    [
      'First name,Last name,Email,Phone,Role,External,Location,Department\nEva,Ek,eva@near.example,+46701234567,USER,NO,,\n',
      ['Eva', 'Ek', 'eva@near.example', '+46701234567', 'USER', 'NO', '', ''],
    ],
    [
      'First Name,Last Name,Email Address\nEva,Ek,eva@near.example\n',
      ['Eva', 'Ek', 'eva@near.example', '', '', '', '', ''],
    ],
    [
      'First Name,Last Name,Email Address,Phone Number,Role,External,Location,Department,,,\nMax,Power,max@trail.example,+1 416 555 0120,USER,NO,,,,,\n',
      ['Max', 'Power', 'max@trail.example', '+1 416 555 0120', 'USER', 'NO', '', ''],
    ],
  ])('%j need no look', (content, texts) => {
    const file = usersIn(content)
    expect([file.isCertain, file.missing]).toEqual([true, []])
    expect(userTexts(file)).toEqual([[2, ...texts]])
  })

  test('a sheet with other columns between and blank rows keep their rows', () => {
    const sheets =
      usersIn(`Department,Location,Email Address,Notes,First Name,Last Name,Role,External,Phone Number
Legal,Dublin,niamh@sheets.example,"said ""later"", maybe",Niamh,Byrne,Business User,TRUE,+353 87 123 4567
,,,,,,,,
IT,Cork,cian@sheets.example,,Cian,Murphy,owner,FALSE,+353 21 234 5678
`)
    expect([sheets.isCertain, sheets.unused]).toEqual([true, ['Notes']])
    expect(userTexts(sheets)).toEqual([
      [
        2,
        'Niamh',
        'Byrne',
        'niamh@sheets.example',
        '+353 87 123 4567',
        'Business User',
        'TRUE',
        'Dublin',
        'Legal',
      ],
      [4, 'Cian', 'Murphy', 'cian@sheets.example', '+353 21 234 5678', 'owner', 'FALSE', 'Cork', 'IT'],
    ])
  })

  test('a list with titles above its headings count the rows of the file', () => {
    const file = usersIn('sep=;\nStaff of Oslo\n\nFirst Name;Last Name;Email\n\nEva;Ek;eva@near.example\n')
    expect(userTexts(file).map(([row, name]) => [row, name])).toEqual([[6, 'Eva']])
  })

  test('whole names are taken apart, and are looked at', () => {
    const { people, isCertain } = usersIn(
      'Name,E-mail\n"Lefèvre, Zoé",z@f.example\nAnna van der Berg,a@b.example\n',
    )
    expect(isCertain).toBe(false)
    expect(people.map(({ person: { firstName, lastName } }) => [firstName, lastName])).toEqual([
      ['Zoé', 'Lefèvre'],
      ['Anna van der', 'Berg'],
    ])
  })

  test('headings that are names of JavaScript are columns as any other', () => {
    const { named, unused } = usersIn(
      '__proto__,constructor,Email,First Name,Last Name\n1,2,a@b.example,Ana,Lee\n',
    )
    expect(named).toEqual({ firstName: 'First Name', lastName: 'Last Name', email: 'Email' })
    expect(unused).toEqual(['__proto__', 'constructor'])
  })

  test('what is no list of people lack everything that is required', () => {
    expect(usersIn('Item,Price\nPen,3\n').missing).toEqual(['firstName', 'lastName', 'email'])
  })
})

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Robert Smith, Jr.', 'Robert', 'Smith, Jr.'],
  ['Robert Smith III', 'Robert', 'Smith III'],
  ['Björk', 'Björk', ''],
  ['  Anna  van der Berg ', 'Anna van der', 'Berg'],
  ['', '', ''],
])('%j is the name %j %j', (whole, firstName, lastName) => {
  expect(splitName(whole)).toEqual({ firstName, lastName })
})

test.each([
  ['Board;Crisis', ['Board', 'Crisis']],
  ['Crisis Team|All Staff', ['Crisis Team', 'All Staff']],
  ['Crisis ::: * myContacts', ['Crisis', 'myContacts']],
  ['A, B\nC', ['A', 'B', 'C']],
  ['Board; board ;;', ['board']],
  [' ', []],
])('%j names lists %j', (cell, lists) => {
  expect(splitLists(cell)).toEqual(lists)
})

test('a key of headings depends on their words and order only', () => {
  expect(headingsKey(['First Name', 'E-Mail'])).toMatch(/^[\da-f]{16}$/)
  expect(headingsKey(['First Name', 'E-Mail'])).toBe(headingsKey(['FİRST NAME ', 'e mail']))
  expect(headingsKey(['First Name', 'E-Mail'])).not.toBe(headingsKey(['E-Mail', 'First Name']))
})
