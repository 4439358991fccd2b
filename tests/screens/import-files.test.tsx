import { CFB } from '@e965/xlsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import { answer, open, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'
import { readingTables } from '#tests/support/client-tables.ts'
import { aListedUser } from '#tests/support/client-users.ts'

type SentRow = Readonly<Record<string, unknown>>

const USER_HEADINGS = 'First Name,Last Name,Email Address,Phone Number,Role,External,Location,Department'
const CONTACT_HEADINGS = 'Name,Email Address,Phone Number,Contact List'
const there = aListedUser({ firstName: 'Ana', lastName: 'Silva', email: 'ana@demo.example' })

let config: object
beforeEach(() => {
  readingTables()
  signedIn()
  config = {
    nameCharacters: 'EXTENDED',
    twilioAllowedCountryCodes: ['CA', 'US'],
    contactsUploadMaxLimit: 500,
  }
})

async function opened(page: string, known: RegExp | string, button: string) {
  answer('get', '/config', config)
  const user = open(page)
  await screen.findAllByText(known)
  await user.click(await screen.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: new RegExp(`^${button}`) }))
  await dialog.findByLabelText('CSV or Excel file')
  const choose = (content: BlobPart, name = 'people.csv') =>
    fireEvent.change(dialog.getByLabelText('CSV or Excel file'), {
      target: { files: [new File([content], name)] },
    })
  const goOn = () => user.click(dialog.getByRole('button', { name: 'Continue' }))
  const assign = async (field: string, heading: string) => {
    await user.click(dialog.getByRole('combobox', { name: `Column for ${field}` }))
    await user.click(await screen.findByRole('option', { name: heading }))
  }
  return { user, dialog, choose, goOn, assign }
}

async function usersOpened() {
  serveList('/useradmin/users', () => [there])
  receive('post', '/useradmin/users/existing', () => ({ emails: [] }), 200)
  receive('put', '/useradmin/importColumns/:headings', (body) => body)
  const bodies = receive('post', '/useradmin/users', () => ({ created: [there], skipped: [] }))
  const dialog = await opened('/user-admin', 'ana@demo.example', 'Import Users')
  /** Imports the people of the preview. Returns them as they are sent. */
  const send = async (): Promise<SentRow[]> => {
    await dialog.user.click(dialog.dialog.getByRole('button', { name: /^Import \d+ User/ }))
    await dialog.dialog.findByText('1 user was added.')
    return bodies[0] as unknown as SentRow[]
  }
  return { ...dialog, send }
}

async function contactsOpened() {
  answer('get', '/contact/lists', [{ name: 'City', count: 1 }])
  answer('get', '/contact/asList', [])
  receive('put', '/contact/importColumns/:headings', (body) => body)
  const bodies = receive('post', '/contact', () => ({ created: 1, updated: 0, lists: [], warnings: [] }))
  const dialog = await opened('/mass-notifications/contacts', /^City/, 'Import Contacts')
  const send = async (): Promise<SentRow[]> => {
    await dialog.user.click(dialog.dialog.getByRole('button', { name: /^Import \d+ Contact/ }))
    await dialog.dialog.findByText('Imported contacts successfully.')
    return bodies[0] as unknown as SentRow[]
  }
  return { ...dialog, send }
}

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const letters = (n: number) =>
  `${String.fromCharCode(65 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`

/** Names as people are called, all of them invented. */
const NAMES = [
  ['Sean', "O'Brien"],
  ['Sinéad', 'O’Connor'],
  ['José-María', 'Núñez'],
  ['小龙', '李'],
  ['Anna', 'van der Berg'],
  ['Björk', ''],
  ['محمد', 'العلي'],
  ['Jean–Luc', 'Picard'],
  ['Robert', 'Smith, Jr.'],
  ['Anne Marie (Annie)', 'Lee'],
  [' Tom ', 'Nbsp'],
  ['Dr. Ada', 'Lovelace'],
  ['יעל', 'כהן'],
  ['ธนพล', 'ศรีสุข'],
  ['X Æ A-12', 'Musk'],
  ['D`Arcy', 'Hall'],
  ['किरण', 'शर्मा'],
  ["Ka'anohi", 'ʻIolani'],
  ['O’\u200bNeil', 'Zero'],
] as const
const quoted = (cell: string) => (/[,"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Numbers as people write them, and as they are sent to be read by the same rules, with the second one. */
const PHONES = [
  ['+1-416-555-0103 x123', '+14165550103', '123', null],
  ['+1 (416) 555-0109 / +1 416 555 0110', '+14165550109', null, '+14165550110'],
  ['\u202a+1 416 555 0107\u202c', '+14165550107', null, null],
  ['tel:+14165550108', '+14165550108', null, null],
  ['011 44 20 7946 0958', '+442079460958', null, null],
  ['+44 (0)20 7946 0959', '+442079460959', null, null],
  ['+49 30/901821', '+4930901821', null, null],
  ['+43 1 588 58 DW 12', '+43158858', '12', null],
  ['+\u0669\u0667\u0661\u0665\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0668', '+971501234568', null, null],
  [
    '\uff0b\uff18\uff11 \uff19\uff10 \uff11\uff12\uff13\uff14 \uff15\uff16\uff17\uff19',
    '+819012345679',
    null,
    null,
  ],
  ['416-555-0114', '+14165550114', null, null],
  ['+1 800 FLOWERS', '+18003569377', null, null],
  ['########', null, null, null],
  ['1.41656E+10', null, null, null],
  ['n/a', null, null, null],
  ['+1', null, null, null],
] as const

describe('users of', () => {
  test('Everbridge are assigned, with the number of the SMS and its extension apart', async () => {
    const { dialog, choose, goOn, send } = await usersOpened()
    choose(`First Name,Middle Initial,Last Name,Suffix,External ID,Country,Record Type,Phone 1,Phone Country 1,SMS 1,SMS 1 Country,Email Address 1,Email Address 2,Location 1,Groups,END\r
Maria,L,García,,EB-7,US,Employee,4165550101,CA,4165550101,CA,maria.garcia@everbridge.example,,HQ,Crisis Team|All Staff,END\r
`)
    await dialog.findByText(/^people\.csv: the columns have other names/)
    await goOn()
    expect(dialog.getByRole('combobox', { name: 'Column for Email Address' })).toHaveTextContent(
      'Email Address 1',
    )
    await goOn()
    await dialog.findByText('1 user will be added.')
    expect(await send()).toMatchObject([
      {
        firstName: 'Maria',
        lastName: 'García',
        email: 'maria.garcia@everbridge.example',
        phoneNumber: '+14165550101',
      },
    ])
  })

  test('a German spreadsheet have semicolons in quotation marks, and their words below External', async () => {
    const { user, dialog, choose, goOn, send } = await usersOpened()
    choose(`\uFEFF${USER_HEADINGS.replaceAll(',', ';')}\r
Jürgen;Groß;juergen.gross@german.example;+49 151 23456789;USER;NEIN;München;"IT; Netze"\r
Ute;Schäfer;ute.schaefer@german.example;+49 30/901820-0;ADMIN;JA;Köln;Recht, Compliance\r
`)
    await dialog.findByText('people.csv: 2 users')
    await goOn()
    for (const [at, group] of dialog.getAllByRole('radiogroup').entries())
      await user.click(within(group).getByRole('radio', { name: at === 0 ? 'Internal' : 'External' }))
    expect(await send()).toMatchObject([
      {
        lastName: 'Groß',
        phoneNumber: '+4915123456789',
        type: 'INTERNAL',
        location: 'München',
        department: 'IT; Netze',
      },
      {
        lastName: 'Schäfer',
        phoneNumber: '+49309018200',
        role: 'ADMIN',
        type: 'EXTERNAL',
        department: 'Recht, Compliance',
      },
    ])
  })

  test('a French spreadsheet in Windows-1252 keep their accents', async () => {
    const { user, dialog, choose, goOn, send } = await usersOpened()
    choose(
      latin(`${USER_HEADINGS.replaceAll(',', ';')}\r
Zoé;Lefèvre;zoe.lefevre@french.example;+33 6 12 34 56 78;USER;OUI;Orléans;Études\r
Noël;Ouvrard;noel@french.example;+33 (0)1 42 68 53 00;USER;NON;Paris;\r
`),
    )
    await dialog.findByText('people.csv: 2 users')
    await goOn()
    expect(dialog.getByText(/read as Western European \(Windows-1252\)/)).toBeVisible()
    for (const group of dialog.getAllByRole('radiogroup'))
      await user.click(within(group).getByRole('radio', { name: 'Internal' }))
    expect(await send()).toMatchObject([
      {
        firstName: 'Zoé',
        lastName: 'Lefèvre',
        phoneNumber: '+33612345678',
        department: 'Études',
        location: 'Orléans',
      },
      { firstName: 'Noël', phoneNumber: '+33142685300' },
    ])
  })

  const named = [
    USER_HEADINGS,
    ...NAMES.map(([first, last], n) => `${quoted(first)},${quoted(last)},name${n}@names.example,,USER,NO,,`),
  ].join('\n')
  test('every name come in where the organisation takes what people are called', async () => {
    const { dialog, choose, goOn, send } = await usersOpened()
    choose(named)
    await dialog.findByText(`people.csv: ${NAMES.length} users`)
    await goOn()
    expect((await send()).map(({ firstName, lastName }) => [firstName, lastName])).toEqual(
      NAMES.map((names) => names.map((name) => name.trim())),
    )
  })

  test('other names are said with their rows by the standard rule, which leads to the setting', async () => {
    config = { ...config, nameCharacters: 'STANDARD' }
    const { dialog, choose } = await usersOpened()
    choose(named)
    const alert = within(await dialog.findByRole('alert'))
    expect(
      alert.getByText(
        /^First\/last name can only include alphabetical characters, periods, and spaces \(in row 2\)/,
      ),
    ).toBeVisible()
    expect(alert.getByRole('link')).toHaveAttribute('href', expect.stringContaining('/settings/organisation'))
  })

  test('every number is read, or left out with its row and the reason', async () => {
    const { dialog, choose, goOn, send } = await usersOpened()
    const rows = PHONES.map(([phone], n) => `Phone,${letters(n)},u${n}@phones.example,${phone},USER,NO,,`)
    choose([USER_HEADINGS, ...rows].join('\n'))
    await dialog.findByText(`people.csv: ${PHONES.length} users`)
    await goOn()
    const left = within(dialog.getByText('Phone numbers that will be left out (2)').closest('[role=alert]')!)
    expect(left.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/########.*row 14/),
      expect.stringMatching(/1\.41656E\+10.*row 15/),
    ])
    expect(
      (await send()).map(({ phoneNumber, phoneExtension, secondPhoneNumber }) => [
        phoneNumber,
        phoneExtension,
        secondPhoneNumber,
      ]),
    ).toEqual(PHONES.map(([, ...numbers]) => numbers))
  })

  test('words below External are decided on one by one', async () => {
    const { user, dialog, choose, goOn, send } = await usersOpened()
    const words = ['YES', 'JA', 'SI', 'EXTERNAL', 'Vendor', 'Ja', 'TRUE', 'yes ', 'Y', 'External contractor']
    choose(
      [USER_HEADINGS, ...words.map((word, n) => `Ext,${letters(n)},e${n}@ext.example,,USER,${word},,`)].join(
        '\n',
      ),
    )
    await dialog.findByText('people.csv: 10 users')
    await goOn()
    const questions = dialog.getAllByRole('radiogroup')
    expect(questions).toHaveLength(5)
    for (const group of questions) await user.click(within(group).getByRole('radio', { name: 'External' }))
    expect((await send()).map(({ type }) => type)).toEqual(words.map(() => 'EXTERNAL'))
  })
})

describe('contacts', () => {
  test('of every name come in', async () => {
    const { dialog, choose, goOn, send } = await contactsOpened()
    const names = NAMES.map((name) => name.join(' '))
    choose(
      [CONTACT_HEADINGS, ...names.map((name, n) => `${quoted(name)},name${n}@names.example,,Names`)].join(
        '\n',
      ),
    )
    await dialog.findByText(`people.csv: ${names.length} contacts`)
    await goOn()
    const cells = dialog
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[0]!.textContent)
    expect(cells).toEqual(names.slice(0, cells.length).map((name) => name.trim()))
    expect(await send()).toHaveLength(names.length)
  })

  test('of one address become one, in all of its lists', async () => {
    const { dialog, choose, goOn, send } = await contactsOpened()
    choose(`${CONTACT_HEADINGS}
Ann Lee,Ann.Lee@dup.example,+1 416 555 0121,Board
Ann Lee,ann.lee@DUP.example,,Crisis
A. Lee,ANN.LEE@dup.example,+1 416 555 0122,"board "
Bob Ray,bob@dup.example,+1 416 555 0121,Board
Reception,desk@dup.example,+1 416 555 0123,Board; Crisis
`)
    await dialog.findByText('people.csv: 3 contacts')
    await goOn()
    expect(dialog.getByText('3 contacts will be added to 2 contact lists.')).toBeVisible()
    expect((await send()).map(({ email, list }) => [email, list])).toEqual([
      ['Ann.Lee@dup.example', 'Board'],
      ['ann.lee@DUP.example', 'Crisis'],
      ['ANN.LEE@dup.example', 'board'],
      ['bob@dup.example', 'Board'],
      ['desk@dup.example', 'Board'],
      ['desk@dup.example', 'Crisis'],
    ])
  })

  test('of which some have no address are told row by row, and the others come in', async () => {
    const { user, dialog, choose, send } = await contactsOpened()
    const rows = Array.from(
      { length: 300 },
      (_, n) => `Office ${n},${n % 3 === 0 ? '(blank)' : `o${n}@city.example`},,City`,
    )
    choose([CONTACT_HEADINGS, ...rows].join('\n'))
    expect(await dialog.findByText('people.csv has problems in 100 of 300 rows.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Continue With the Other 200 Rows' }))
    expect(await send()).toHaveLength(200)
  })
})

describe('assigned columns', () => {
  test('bring in sixty users whose columns have names of nobody', async () => {
    const { dialog, choose, goOn, assign, send } = await usersOpened()
    const rows = Array.from(
      { length: 60 },
      (_, n) => `${letters(n)},Senator,p${n}@example.org,+1202555${String(n).padStart(4, '0')},Legal`,
    )
    choose(['Called,Family,Reach,Ring,Office', ...rows].join('\n'))
    await dialog.findByText(/^people\.csv: the columns have other names/)
    await goOn()
    await assign('First Name', 'Called')
    await assign('Last Name', 'Family')
    await assign('Phone Number', 'Ring')
    await assign('Department', 'Office')
    await goOn()
    await dialog.findByText('60 users will be added.')
    const sent = await send()
    expect(sent).toHaveLength(60)
    expect(sent[59]).toMatchObject({ lastName: 'Senator', phoneNumber: '+12025550059', department: 'Legal' })
  })

  test('bring in ninety-five contacts in a list that they lack', async () => {
    const { user, dialog, choose, goOn, assign, send } = await contactsOpened()
    const rows = Array.from({ length: 95 }, (_, n) => `Office ${n},o${n}@city.example`)
    choose(['Agency,Security contact', ...rows].join('\n'))
    await dialog.findByText(/^people\.csv: the columns have other names/)
    await goOn()
    await assign('Full Name', 'Agency')
    await user.type(dialog.getByLabelText('Put everybody into the list'), 'City')
    await goOn()
    await dialog.findByText('95 contacts will be added to City.')
    const sent = await send()
    expect(sent).toHaveLength(95)
    expect(sent[94]).toMatchObject({ name: 'Office 94', email: 'o94@city.example', list: 'City' })
  })
})

test('a workbook with a password is refused with what to do', async () => {
  const { dialog, choose } = await contactsOpened()
  const container = CFB.utils.cfb_new()
  for (const name of ['/EncryptionInfo', '/EncryptedPackage'])
    CFB.utils.cfb_add(container, name, new Uint8Array(64))
  choose(Uint8Array.from(CFB.write(container, { type: 'array' }) as number[]), 'people.xlsx')
  const alert = await dialog.findByRole('alert')
  await waitFor(() => expect(alert).toHaveTextContent('The file has a password. Save it without one'))
  expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
})
