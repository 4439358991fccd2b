import { parseArgs } from 'node:util'

import pino from 'pino'

import { runCommand } from './command.ts'
import { openSecret } from './kit/blobs/installation.ts'
import { readSettings } from './kit/core/settings.ts'
import { CannotStart } from './kit/core/start-problems.ts'
import { reachDatabase } from './kit/database/reach-database.ts'
import { makeJobs } from './kit/jobs/jobs.ts'
import { makePost } from './kit/messages/mailer.ts'
import { makeOwnLinks } from './kit/messages/own-links.ts'
import { makeSecrets } from './kit/security/secrets.ts'
import {
  checkChains,
  endAllLockouts,
  readStored,
  type RescueServices,
  resetSecondFactor,
  resetSecondFactorOfStaff,
  revokePerson,
} from './rescue/acts.flows.ts'
import { tableOf } from './rescue/table.content.ts'
import { openDatabase, type Undo } from './start.ts'

interface Given {
  readonly words: readonly string[]
  readonly flags: { readonly [name: string]: boolean }
}
interface Act {
  /** Words after the name: `ORGANISATION EMAIL`, those in brackets may be left out. */
  readonly words: string
  /** Flags with their explanations. */
  readonly flags?: { readonly [name: string]: string }
  readonly summary: string
  readonly help: string
  /** Returns the lines to print. */
  readonly run: (services: RescueServices, given: Given) => Promise<readonly string[]>
}

const ACTS: { readonly [name: string]: Act } = {
  'second-factor': {
    words: 'ORGANISATION EMAIL',
    summary: 'lets a person in who has lost phone and recovery codes',
    help:
      'Deletes the authenticator app and the recovery codes of a person of the organization with this code. Nothing else\n' +
      'ends: sessions go on. The person is mailed, and it is in the log of the organization and of the provider.',
    run: (services, { words: [code, address] }) => resetSecondFactor(services, code!, address!),
  },
  'staff-second-factor': {
    words: 'EMAIL',
    summary: 'lets a member of staff into the console who has lost phone and recovery codes',
    help:
      'Deletes the authenticator app and the recovery codes of a member of staff, as a colleague does in the console. They\n' +
      'are signed out of the console and mailed, and it is in the log of the provider.',
    run: (services, { words: [address] }) => resetSecondFactorOfStaff(services, address!),
  },
  lockouts: {
    words: '[ORGANISATION]',
    summary: 'ends all lockouts',
    help:
      'Ends all lockouts after wrong passwords and codes, and forgets how many mails were asked for. With the code of an\n' +
      'organization only those of its people; lockouts of addresses stay then, because they belong to no organization.',
    run: (services, { words: [code] }) => endAllLockouts(services, code),
  },
  'event-chain': {
    words: '[ORGANISATION]',
    summary: 'checks whether events were changed, removed or inserted',
    help:
      'Checks the chain of fingerprints of the events of each organization and of the provider, or of one organization.\n' +
      'Prints a line for each; where one is broken, the first broken event, and exits with 1.',
    run: async (services, { words: [code] }) => {
      const { lines, isWhole } = await checkChains(services, code)
      if (!isWhole) process.exitCode = 1
      return lines
    },
  },
  revoke: {
    words: 'ORGANISATION EMAIL',
    flags: { 'api-keys': 'deletes the API keys that the person made, too' },
    summary: 'ends everything that a stolen device of a person opens',
    help:
      'Ends all sessions of a person with their tickets, sign-ins that wait for a code, links to set a password, and the\n' +
      'address of their calendar. They can sign in again. API keys that they made are listed, and go on.',
    run: (services, { words: [code, address], flags }) =>
      revokePerson(services, { code: code!, address: address!, endsKeys: flags['api-keys'] === true }),
  },
  storage: {
    words: '[ORGANISATION]',
    flags: { json: 'prints JSON, for programs' },
    summary: 'prints what organizations store',
    help:
      'Prints how many people, incidents, chat rooms, chat messages, files, bytes of files and events each organization, or\n' +
      'one, stores, and the times of its first and last event.',
    run: async (services, { words: [code], flags }) => {
      const stored = await readStored(services, code)
      return flags['json'] ? [JSON.stringify(stored, null, 2)] : tableOf(stored)
    },
  },
}

const usageOf = (name: string, { words, flags = {} }: Act): string =>
  ['npm run rescue --', name, words, ...Object.keys(flags).map((flag) => `[--${flag}]`)].join(' ')

const WIDEST = Math.max(...Object.keys(ACTS).map((name) => name.length))
const HELP = [
  'Usage: npm run rescue -- ACT …, with the settings of the product (DATA_DIR or DATABASE_URL, SECRET_KEY, SMTP_URL and so on)',
  '',
  ...Object.entries(ACTS).map(([name, { summary }]) => `  ${name.padEnd(WIDEST)}  ${summary}`),
  '',
  'The acts work whether the product runs or not. "npm run rescue -- ACT --help" says more about one.',
].join('\n')

const helpOf = (name: string, act: Act): string =>
  [
    `Usage: ${usageOf(name, act)}`,
    '',
    act.help,
    ...Object.entries(act.flags ?? {}).map(([flag, text]) => `\n  --${flag}  ${text}`),
  ].join('\n')

/** @throws CannotStart for words and flags that the act does not take */
function readGiven(name: string, act: Act, args: string[]): Given {
  const wrong = (problem: string) => new CannotStart(`${problem} Usage: ${usageOf(name, act)}`)
  const options = Object.fromEntries(
    Object.keys(act.flags ?? {}).map((flag) => [flag, { type: 'boolean' as const }]),
  )
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const all = act.words.split(' ')
    const needed = all.filter((word) => !word.startsWith('['))
    if (positionals.length < needed.length) throw wrong(`${needed[positionals.length]} is missing.`)
    if (positionals.length > all.length) throw wrong('There are too many words.')
    return { words: positionals, flags: values as Given['flags'] }
  } catch (error) {
    if (error instanceof CannotStart) throw error
    throw wrong(`${(error as Error).message.split('.')[0]}.`)
  }
}

/** The services of the acts, on the database of a running or a stopped product. */
async function openServices(undo: Undo): Promise<RescueServices> {
  const settings = readSettings(process.env)
  const log = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }))
  const { database, connection } = await openDatabase(settings, log, undo, reachDatabase(settings))
  const secrets = makeSecrets(await openSecret(database, settings))
  const blobs = { sweep: () => Promise.resolve(0), remove: () => Promise.resolve() }
  const jobs = makeJobs({ database, connection, isAlone: !settings.databaseUrl, blobs, log })
  const post = makePost({ settings, database, jobs, log, ownLinks: makeOwnLinks(secrets) })
  await jobs.open()
  undo.push(() => jobs.stop())
  return { database, settings, secrets, post }
}

async function main(undo: Undo, [name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(HELP)
    if (name === undefined) process.exitCode = 1
    return
  }
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (!act) throw new CannotStart(`There is no act ${name}.\n\n${HELP}`)
  if (args.includes('--help') || args.includes('-h')) return console.log(helpOf(name, act))
  const given = readGiven(name, act, args)
  for (const line of await act.run(await openServices(undo), given)) console.log(line)
}

await runCommand((undo) => main(undo, process.argv.slice(2)))
