import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

import * as z from 'zod/mini'

import { withoutEnd } from '#contract/kit/cut.ts'
import { normalisedEmail } from '#contract/kit/text.ts'
import { ENVIRONMENTS, LOCAL } from '#contract/staff/schema.ts'

import { type CarrierSpec, readCarriers } from './carrier-settings.ts'
import { isLoopback } from './hosts.ts'
import { CannotStart } from './start-problems.ts'

/** Least length of the secret, from a setting or the file. */
export const SECRET_MIN = 32
/** Least length of the outbox key, from a setting or the file. */
export const OUTBOX_KEY_MIN = 16

const optional = z.optional(z.string().check(z.minLength(1)))
const flag = z.optional(
  z.pipe(
    z.enum(['0', '1', 'true', 'false'], 'must be 1 or 0'),
    z.transform((value) => value === '1' || value === 'true'),
  ),
)
const url = (...protocols: string[]) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
          `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        ),
      ),
  )

/** A name and URL of another installation; this one, Local, is known. */
const isEnvironment = ([name = '', url = '', ...more]: readonly string[]): boolean =>
  ENVIRONMENTS.some((known) => known === name && known !== LOCAL) &&
  more.length === 0 &&
  URL.canParse(url) &&
  /^https?:$/.test(new URL(url).protocol)

/** True for the URL of a mailbox with a user and a password. */
function isMailbox(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  return /^imaps?:$/.test(protocol) && hostname !== '' && username !== '' && password !== ''
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}

/** A duration in whole milliseconds. */
const milliseconds = (fallback: number) =>
  z._default(
    z.coerce
      .number('must be a number of milliseconds')
      .check(
        z.refine(
          (ms) => Number.isInteger(ms) && ms >= 1 && ms <= 3_600_000,
          'must be from 1 to 3600000 milliseconds',
        ),
      ),
    fallback,
  )

/** True for a file with a line that is a key of age. */
function isKeyFile(path: string): boolean {
  try {
    return isAbsolute(path) && /^(AGE-SECRET-KEY-1|age1)/m.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Environment = z.object({
  PORT: z._default(
    z.coerce
      .number('must be a port number')
      .check(
        z.refine(
          (port) => Number.isInteger(port) && port >= 0 && port < 65_536,
          'must be a port number from 0 to 65535',
        ),
      ),
    3000,
  ),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  PUBLIC_URL: url('http:', 'https:'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  SECRET_KEY: z.optional(
    z.string().check(z.minLength(SECRET_MIN, `must be at least ${SECRET_MIN} characters`)),
  ),
  OUTBOX_KEY: z.optional(
    z.string().check(z.minLength(OUTBOX_KEY_MIN, `must be at least ${OUTBOX_KEY_MIN} characters`)),
  ),
  SMTP_URL: url('smtp:', 'smtps:'),
  BOUNCES_IMAP_URL: z.optional(
    z
      .string()
      .check(z.refine(isMailbox, 'must be a URL such as imaps://user:password@imap.example.com/INBOX')),
  ),
  MAIL_FROM: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.regex(
          /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
          'must be an email address, such as Muster <muster@example.com>',
        ),
      ),
    'Muster <muster@localhost>',
  ),
  TWILIO_ACCOUNT_SID: optional,
  TWILIO_AUTH_TOKEN: optional,
  TWILIO_FROM: z.optional(
    z.string().check(z.regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number, as a plus sign and digits')),
  ),
  TWILIO_BASE_URL: url('http:', 'https:'),
  CARRIERS: optional,
  SMS: z.optional(z.enum(['off'], 'must be off, or not set')),
  SIMULATOR: flag,
  STREAM_BASE_URL: url('http:', 'https:'),
  JITSI_DOMAIN: z.optional(
    z.string().check(z.regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'must be a host name, such as meet.example.com')),
  ),
  JITSI_APP_ID: optional,
  JITSI_APP_SECRET: optional,
  STAFF_EMAILS: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((value: string) => value.split(',')),
      ),
      z.array(
        z
          .string()
          .check(
            z.overwrite(normalisedEmail),
            z.regex(/^[^@\s]+@[^@\s]+$/, 'must be email addresses, separated by commas'),
          ),
      ),
    ),
  ),
  STAFF_SECOND_FACTOR: z.optional(z.enum(['required', 'optional'], 'must be required or optional')),
  CONSOLE_ENVIRONMENTS: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((value: string) => value.split(',').map((one) => one.trim().split('='))),
      ),
      z
        .array(z.array(z.string()))
        .check(
          z.refine(
            (pairs) => pairs.every(isEnvironment),
            `must be pairs such as Staging=https://staging.example`,
          ),
        ),
    ),
  ),
  SECURITY_CONTACT: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(mailto:[^@\s]+@[^@\s]+|https:\/\/[^\s]+)$/,
          'must be an email address as mailto: or an https:// URL',
        ),
      ),
  ),
  OFFICE_CONVERTER: z.optional(
    z.string().check(z.refine(isProgram, 'must be the path of a program, such as /usr/bin/soffice')),
  ),
  S3_BUCKET: z.optional(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  ),
  S3_ENDPOINT: url('http:', 'https:'),
  S3_REGION: optional,
  AWS_ACCESS_KEY_ID: optional,
  AWS_SECRET_ACCESS_KEY: optional,
  BACKUP_TO: z.optional(
    z.string().check(z.refine(isAbsolute, 'must be the path of a folder, such as /backups')),
  ),
  BACKUP_KEY_FILE: z.optional(
    z
      .string()
      .check(
        z.refine(isKeyFile, 'must be the path of a file with a key of age, such as npm run backup makes'),
      ),
  ),
  BACKUP_AT: z._default(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as 02:00')),
    '02:00',
  ),
  BACKUP_KEEP: z._default(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 999')), '7'),
  SENTRY_DSN: url('http:', 'https:'),
  METRICS_TOKEN: optional,
  ALLOW_OUTBOX: flag,
  TRUST_PROXY: flag,
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  SLOW_CALL_MS: milliseconds(1_000),
  SLOW_STATEMENT_MS: milliseconds(500),
  DEMO: flag,
  DEMO_PASSWORD: z.optional(z.string().check(z.minLength(8, 'must be at least 8 characters'))),
})

type Environment = z.output<typeof Environment>

/** The installation's Jitsi for calls: its address, and the key of its tokens. */
export interface Jitsi {
  readonly domain: string
  readonly appId: string
  readonly appSecret: string
}

/** A bucket of an S3-compatible service, with credentials. */
export interface S3Settings {
  readonly bucket: string
  /** No trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Daily backups to a folder. */
export interface BackupPlan {
  readonly folder: string
  readonly keyFile: string
  /** Time of the day, of this machine. */
  readonly hours: number
  readonly minutes: number
  /** Number of backups that stay. */
  readonly keep: number
}

/** The Twilio account for SMS and voice calls. */
export interface Twilio {
  readonly accountSid: string
  readonly authToken: string
  /** Default sender number, for organisations without their own. */
  readonly from: string
  /** No trailing slash. */
  readonly baseUrl: string
}

export interface Settings {
  readonly port: number
  readonly host: string
  /** Public address of the product; null until the port is known. */
  readonly publicUrl: string | null
  /** Absolute path. */
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly secretKey: string | null
  /** Key of `/outbox`; null to create one in the data folder. */
  readonly outboxKey: string | null
  readonly smtpUrl: string | null
  /** URL of the mailbox into which undeliverable mails come back, with user and password; null for none. */
  readonly bouncesUrl: string | null
  readonly mailFrom: string
  /** Carrier of SMS and voice calls; null for the outbox, or for none. */
  readonly twilio: Twilio | null
  /** Carriers of SMS and voice calls in an order, which take the place of `twilio`; null where none are named. */
  readonly carriers: readonly CarrierSpec[] | null
  /** True when SMS and voice calls are offered at all. */
  readonly offersSms: boolean
  /** True when the simulator answers for scripted addresses of channels without a delivery service. */
  readonly simulates: boolean
  /** URL of the hosted chat service's API, no trailing slash. */
  readonly streamUrl: string
  /** Media server of calls; null for peer to peer. */
  readonly jitsi: Jitsi | null
  /** Path of LibreOffice, which shows documents as PDF; null for none. */
  readonly officeConverter: string | null
  /** Bucket for files; null for the data folder. */
  readonly s3: S3Settings | null
  /** Daily backups; null for none. */
  readonly backups: BackupPlan | null
  /** Email addresses of the provider's staff, who sign in to the console and receive feature requests. */
  readonly staffEmails: readonly string[]
  /** Staff must enrol an authenticator app. Enrolled members always need a code. */
  readonly needsStaffSecondFactor: boolean
  /** URLs of the provider's other installations by name. */
  readonly environments: { readonly [name: string]: string }
  /** URL for vulnerability reports, mailto: or https:; null for none. */
  readonly securityContact: string | null
  /** Sentry DSN for browser errors; null for none. */
  readonly sentryDsn: string | null
  readonly metricsToken: string | null
  readonly allowOutbox: boolean
  /** Channels without a delivery service, whose messages stay in the outbox: mail, SMS, voice calls. */
  readonly keptInOutbox: readonly string[]
  readonly trustProxy: boolean
  readonly logLevel: string
  /** Durations from which the log has a line for a call, and for a statement of the database. */
  readonly slowCallMs: number
  readonly slowStatementMs: number
  readonly demo: boolean
  readonly demoPassword: string | null
}

const isPublic = (url: string | null | undefined): boolean => !!url && !isLoopback(new URL(url).hostname)
/** True when a proxy is expected to pass on other people's requests, so that an address alone proves nothing. */
export const isBehindProxy = ({ publicUrl, trustProxy }: Pick<Settings, 'publicUrl' | 'trustProxy'>) =>
  trustProxy || isPublic(publicUrl)

const TWILIO_SETTINGS = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const
const named = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names)
const TWILIO_URL = 'https://api.twilio.com'
const STREAM_URL = 'https://chat.stream-io-api.com'

const are = ({ length }: readonly string[]) => (length === 1 ? 'is' : 'are')
/** Returns an error that names the missing ones of settings that belong together. */
function incomplete(
  value: Environment,
  needed: readonly (keyof Environment)[],
  given: readonly string[],
): CannotStart {
  const missing = needed.filter((name) => value[name] === undefined)
  return new CannotStart(
    `${named(missing)} ${are(missing)} missing, although ${named(given)} ${are(given)} set.`,
  )
}

/** Twilio settings: all of them or none. */
function twilioOf(value: Environment): Twilio | null {
  // Named carriers may refer to these variables.
  if (value.CARRIERS !== undefined) return null
  const given = [...TWILIO_SETTINGS, 'TWILIO_BASE_URL' as const].filter((name) => value[name] !== undefined)
  if (given.length === 0) return null
  if (value.SMS === 'off') throw new CannotStart(`SMS is off, although ${named(given)} ${are(given)} set.`)
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = value
  if (!accountSid || !authToken || !from) throw incomplete(value, TWILIO_SETTINGS, given)
  return { accountSid, authToken, from, baseUrl: withoutSlash(value.TWILIO_BASE_URL ?? TWILIO_URL) }
}

/** The carriers of `CARRIERS`; null without it. */
function carriersOf(value: Environment, env: NodeJS.ProcessEnv): readonly CarrierSpec[] | null {
  if (value.CARRIERS === undefined) return null
  if (value.SMS === 'off') throw new CannotStart('SMS is off, although CARRIERS is set.')
  return readCarriers(value.CARRIERS, env)
}

const JITSI_SETTINGS = ['JITSI_DOMAIN', 'JITSI_APP_ID', 'JITSI_APP_SECRET'] as const
/** Jitsi settings: all of them or none. */
function jitsiOf(value: Environment): Jitsi | null {
  const given = JITSI_SETTINGS.filter((name) => value[name] !== undefined)
  if (given.length === 0) return null
  const { JITSI_DOMAIN: domain, JITSI_APP_ID: appId, JITSI_APP_SECRET: appSecret } = value
  if (!domain || !appId || !appSecret) throw incomplete(value, JITSI_SETTINGS, given)
  return { domain: domain.toLowerCase(), appId, appSecret }
}

const DEFAULT_REGION = 'us-east-1'
/** Bucket and credentials. Names that begin with AWS_ may be set for other purposes. */
function s3Of(value: Environment): S3Settings | null {
  const { S3_BUCKET: bucket, S3_REGION: region = DEFAULT_REGION } = value
  if (bucket === undefined) {
    const given = (['S3_ENDPOINT', 'S3_REGION'] as const).find((name) => value[name] !== undefined)
    if (given) throw new CannotStart(`S3_BUCKET is missing, although ${given} is set.`)
    return null
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = value
  if (!accessKeyId || !secretAccessKey)
    throw new CannotStart(
      `${accessKeyId ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'} is missing, although S3_BUCKET is set.`,
    )
  const endpoint = withoutSlash(value.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`)
  return { bucket, endpoint, region, accessKeyId, secretAccessKey }
}

/** The plan of backups: a folder and a key file, or neither. */
function backupsOf(value: Environment): BackupPlan | null {
  const { BACKUP_TO: folder, BACKUP_KEY_FILE: keyFile } = value
  if (folder === undefined && keyFile === undefined) return null
  if (folder === undefined || keyFile === undefined)
    throw new CannotStart(
      folder === undefined
        ? 'BACKUP_TO is missing, although BACKUP_KEY_FILE is set.'
        : 'BACKUP_KEY_FILE is missing, although BACKUP_TO is set. Make one with npm run backup -- --new-key FILE.',
    )
  const [hours, minutes] = value.BACKUP_AT.split(':').map(Number) as [number, number]
  return { folder, keyFile, hours, minutes, keep: Number(value.BACKUP_KEEP) }
}

/** Channels that are offered without a carrier, and therefore kept in the outbox. */
const keptInOutbox = (value: Environment, isCarried: boolean): string[] => [
  ...(value.SMTP_URL ? [] : ['mail']),
  ...(isCarried || value.SMS === 'off' ? [] : ['SMS', 'voice calls']),
]

/** @throws CannotStart where a publicly reachable server would send messages to nobody */
function demandCarriers(value: Environment, isCarried: boolean): void {
  const reachable = !isLoopback(value.HOST)
    ? `The setting HOST is ${value.HOST}`
    : isPublic(value.PUBLIC_URL) && `The setting PUBLIC_URL is ${value.PUBLIC_URL}`
  const kept = keptInOutbox(value, isCarried)
  if (!reachable || kept.length === 0 || value.ALLOW_OUTBOX) return
  const lacksSms = !isCarried && value.SMS !== 'off'
  const missing = [...(value.SMTP_URL ? [] : ['SMTP_URL']), ...(lacksSms ? TWILIO_SETTINGS : [])]
  throw new CannotStart(
    `${reachable}, which others can reach, but ${named(kept)} would only be kept in the outbox. ` +
      `Set ${named(missing)} so that people receive them, ${lacksSms ? 'or SMS=off to offer none, ' : ''}or ALLOW_OUTBOX=1 if this is wanted.`,
  )
}

/** True by default where others can reach the console. */
const needsStaffSecondFactor = ({ STAFF_SECOND_FACTOR: given, HOST, PUBLIC_URL }: Environment): boolean =>
  given === undefined ? !isLoopback(HOST) || isPublic(PUBLIC_URL) : given === 'required'

const withoutSlash = (url: string): string => withoutEnd(url, (character) => character === '/')
const orNull = (value: string | undefined): string | null => value ?? null

/**
 * Reads and validates all settings (design §1).
 * @throws CannotStart naming the variable and the problem
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new CannotStart(`The setting ${issue.path.join('.')} is wrong: ${issue.message}.`)
  }
  const value = parsed.data
  const twilio = twilioOf(value)
  const carriers = carriersOf(value, env)
  const isCarried = twilio !== null || carriers !== null
  demandCarriers(value, isCarried)
  const isOwnMachine = !(value.DATABASE_URL || isPublic(value.PUBLIC_URL))
  const demo = value.DEMO ?? isOwnMachine
  return {
    port: value.PORT,
    host: value.HOST,
    publicUrl: value.PUBLIC_URL ? withoutSlash(value.PUBLIC_URL) : null,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: orNull(value.DATABASE_URL),
    secretKey: orNull(value.SECRET_KEY),
    outboxKey: orNull(value.OUTBOX_KEY),
    smtpUrl: orNull(value.SMTP_URL),
    bouncesUrl: orNull(value.BOUNCES_IMAP_URL),
    mailFrom: value.MAIL_FROM,
    twilio,
    carriers,
    offersSms: value.SMS !== 'off',
    simulates: value.SIMULATOR ?? demo,
    streamUrl: withoutSlash(value.STREAM_BASE_URL ?? STREAM_URL),
    jitsi: jitsiOf(value),
    officeConverter: orNull(value.OFFICE_CONVERTER),
    s3: s3Of(value),
    backups: backupsOf(value),
    staffEmails: value.STAFF_EMAILS ?? (demo || isOwnMachine ? ['staff@muster.example'] : []),
    needsStaffSecondFactor: needsStaffSecondFactor(value),
    environments: Object.fromEntries(
      (value.CONSOLE_ENVIRONMENTS ?? []).map(([name, url]) => [name!, withoutSlash(url!)]),
    ),
    securityContact: orNull(value.SECURITY_CONTACT),
    sentryDsn: orNull(value.SENTRY_DSN),
    metricsToken: orNull(value.METRICS_TOKEN),
    allowOutbox: value.ALLOW_OUTBOX ?? false,
    keptInOutbox: keptInOutbox(value, isCarried),
    trustProxy: value.TRUST_PROXY ?? false,
    logLevel: value.LOG_LEVEL,
    slowCallMs: value.SLOW_CALL_MS,
    slowStatementMs: value.SLOW_STATEMENT_MS,
    demo,
    demoPassword: orNull(value.DEMO_PASSWORD),
  }
}
