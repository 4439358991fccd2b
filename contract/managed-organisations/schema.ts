import * as z from 'zod/mini'

import { wholeNumber } from '#contract/kit/numbers.ts'
import {
  id,
  normalisedEmail,
  isEmailAddress,
  listOf,
  optionalText,
  personName,
  requiredText,
  timestamp,
} from '#contract/kit/text.ts'
import { SUBSCRIPTION_LEVELS, SubscriptionLevel } from '#contract/organisations/schema.ts'
import { WelcomeStatus } from '#contract/welcome/schema.ts'

export const NAME_REQUIRED = "Please enter the organization's name."
export const DOMAIN_REQUIRED = "Please enter the organization's domain."
export const ADMIN_FIRST_NAME_REQUIRED = "Please enter the admin's first name."
export const ADMIN_LAST_NAME_REQUIRED = "Please enter the admin's last name."
export const ADMIN_EMAIL_REQUIRED = "Please enter the admin's email address."
export const ADMIN_EMAIL_INVALID = 'Email address is invalid.'
export const LEVEL_REQUIRED = 'Please select a subscription level.'
export const INVALID_NUMBER = 'Please enter a valid number.'
export const CHAT_KEY_REQUIRED = 'Please enter a Stream API key.'
export const CHAT_SECRET_REQUIRED = 'Please enter a Stream API secret.'
export const API_KEY_REQUIRED = 'Please enter an API key.'
export const SECRET_KEY_REQUIRED = 'Please enter a secret key.'
export const DELETE_NAME_REQUIRED = "Please enter the organization's name to confirm."
export const DELETE_NAME_DIFFERS = 'The text must match the name of the organization.'
export const REMOVAL_BEGAN = 'This organization is being removed already. That cannot be undone.'
export const CANNOT_CLEAR = 'Only shqtrial and organizations less than 7 days old can be cleared.'
export const NAME_TAKEN = 'An organization with this name already exists.'
export const DOMAIN_TAKEN = 'An organization with this domain already exists.'
export const CODE_INVALID = 'Please use small letters and digits, with single hyphens between them.'
export const CODE_TAKEN = 'An organization with this sign-in code already exists.'
export const KEY_TAKEN = 'This API key was added before.'

/** Largest number of users that an organisation can buy. */
const USERS_MAX = 1_000_000
/** Characters of a typed number of users, with separators. */
const USER_COUNT_LENGTH = 20
/** A whole number of users, as a number or a form's text. */
const userCount = z.pipe(
  z.union(
    [
      z.pipe(
        z.string(INVALID_NUMBER).check(
          z.maxLength(USER_COUNT_LENGTH, INVALID_NUMBER),
          z.refine((typed) => wholeNumber(typed) >= 1, INVALID_NUMBER),
        ),
        z.transform(wholeNumber),
      ),
      z.int(INVALID_NUMBER).check(z.minimum(1, INVALID_NUMBER), z.maximum(USERS_MAX, INVALID_NUMBER)),
    ],
    INVALID_NUMBER,
  ),
  z.int().check(z.maximum(USERS_MAX, INVALID_NUMBER)),
)
const level = z.enum(SUBSCRIPTION_LEVELS, LEVEL_REQUIRED)

/** Characters of a sign-in code. */
export const CODE_MAX = 50
const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The body of a new organisation (administration §3). */
export const NewOrganisation = z.object({
  enterpriseName: requiredText(NAME_REQUIRED),
  enterpriseDomain: requiredText(DOMAIN_REQUIRED),
  /** The sign-in code, in small letters. By default it is made from the name. */
  enterpriseCode: optionalText(CODE_MAX).check(
    z.refine((code) => code === null || CODE.test(code), CODE_INVALID),
  ),
  adminFirstName: personName(ADMIN_FIRST_NAME_REQUIRED),
  adminLastName: personName(ADMIN_LAST_NAME_REQUIRED),
  adminEmail: z.pipe(
    requiredText(ADMIN_EMAIL_REQUIRED),
    z.string().check(z.overwrite(normalisedEmail), z.refine(isEmailAddress, ADMIN_EMAIL_INVALID)),
  ),
  subscriptionMaxUsers: userCount,
  subscriptionLevel: level,
  /**
   * Credentials of the hosted chat service. By default a pair of the pool is used, or the built-in chat if
   * the pool is empty.
   */
  streamApiKey: optionalText(),
  streamSecret: optionalText(),
  /** The parent organisation, which can share playbooks with this one. */
  parentId: z._default(z.nullable(id), null),
})
export type NewOrganisation = z.infer<typeof NewOrganisation>

/** The body of a changed organisation (administration §3). */
export const OrganisationChanges = z.object({
  contractNumber: optionalText(),
  level,
  maxUser: userCount,
})
export type OrganisationChanges = z.infer<typeof OrganisationChanges>

/** An organisation in lists of the console. */
export const Enterprise = z.object({
  id,
  code: z.string(),
  displayName: z.string(),
  enterpriseDomain: z.nullable(z.string()),
  createTimestamp: timestamp,
  maxUsers: z.int(),
  parentId: z.nullable(id),
})
export type Enterprise = z.infer<typeof Enterprise>

/** Filter of the list: usable or suspended organisations. */
export const OrganisationStatus = z.enum(['ACTIVE', 'SUSPENDED'])

/** Share of a limit from which on an organisation is near it. */
export const NEAR_LIMIT = 0.9
/** Limits that an organisation is near in a list: active people, the quota of notifications, and that of files. */
export const NearLimit = z.enum(['USERS', 'NOTIFICATIONS', 'STORAGE'])
export type NearLimit = z.infer<typeof NearLimit>
/** Use of a limit. */
const usage = z.object({ used: z.number(), max: z.number() })

/** A row of the console's organisations (administration §3). */
export const ManagedOrganisation = z.object({
  id,
  enterprise: Enterprise,
  /** The oldest administrator account; null without an active administrator. */
  adminUser: z.nullable(z.object({ firstName: z.string(), lastName: z.string(), email: z.string() })),
  subscription: z.object({
    contractNumber: z.nullable(z.string()),
    level: SubscriptionLevel,
    maxUser: z.int(),
  }),
  /** State of the welcome package (administration §4); null before it is first sent. */
  welcomePackageStatus: z.nullable(WelcomeStatus),
  /** Last time the package's link was mailed; null for never or a withdrawn one. */
  welcomePackageSentTimestamp: z.nullable(timestamp),
  /** True for chat at the hosted service, which keeps its data when the organisation is deleted. */
  hasHostedChat: z.boolean(),
  /** Start of the suspension; null for an organisation that is not suspended. */
  suspendedTimestamp: z.nullable(timestamp),
  nearLimits: z.array(NearLimit),
})
export type ManagedOrganisation = z.infer<typeof ManagedOrganisation>

/** One organisation (administration §3). */
export const OrganisationDetail = z.object({
  id,
  enterprise: Enterprise,
  subscription: ManagedOrganisation.shape.subscription,
  suspendedTimestamp: ManagedOrganisation.shape.suspendedTimestamp,
  adminUser: ManagedOrganisation.shape.adminUser,
  welcomePackageStatus: ManagedOrganisation.shape.welcomePackageStatus,
  welcomePackageSentTimestamp: ManagedOrganisation.shape.welcomePackageSentTimestamp,
  hasHostedChat: ManagedOrganisation.shape.hasHostedChat,
  /** Mass notifications, each one message to one person; null without a subscription. */
  notifications: z.nullable(usage),
  /** Bytes of files. */
  storage: usage,
  /** Keys of the configuration items that have a value of their own here. */
  ownConfigKeys: z.array(z.string()),
  activeUsers: z.int(),
  maxUsers: z.int(),
  filesCount: z.int(),
  incidentsCount: z.int(),
  /** Empty for staff who have not stated a reason for looking into the organisation. */
  users: z.array(z.object({ email: z.string(), fullName: z.string() })),
})
export type OrganisationDetail = z.infer<typeof OrganisationDetail>

/** A deleted organisation: it can be restored for seven days, then it is removed. */
export const Deletion = z.object({
  id,
  displayName: z.string(),
  /** Time of the removal. */
  removalTimestamp: timestamp,
  /** Per cent of its rows removed. */
  progress: z.int(),
  /** WAITING before the removal. FAILED after a failed attempt, which the job retries at growing intervals. */
  state: z.enum(['WAITING', 'RUNNING', 'FAILED']),
  /** Error of the last attempt. */
  failure: z.nullable(z.string()),
})
export type Deletion = z.infer<typeof Deletion>

/** Pairs in one submission (administration §5). */
export const CREDENTIALS_MAX = 6
/** Key and secret of the hosted chat service. */
export const ChatCredentials = z.object({
  publicKey: requiredText(API_KEY_REQUIRED),
  secretKey: requiredText(SECRET_KEY_REQUIRED),
})
export type ChatCredentials = z.infer<typeof ChatCredentials>
export const NewChatCredentials = listOf(ChatCredentials, CREDENTIALS_MAX, {
  required: API_KEY_REQUIRED,
  tooMany: `At most ${CREDENTIALS_MAX} sets can be added at once.`,
})
/** Number of pairs left in the pool. */
export const CredentialPool = z.object({ available: z.int() })
