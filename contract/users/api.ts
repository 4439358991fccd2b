import * as z from 'zod/mini'

import { signedIn } from '#contract/kit/access.ts'
import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { FromFile, truth } from '#contract/kit/query.ts'
import { Several, SeveralOutcomes } from '#contract/kit/several.ts'
import { email, id, listOf, nothing, text } from '#contract/kit/text.ts'
import { IMPORT_ROWS_MAX, ImportResult, ImportRows } from '#contract/user-import/schema.ts'

import { usersAccess as access } from './access.ts'
import {
  DirectoryUser,
  NamedPerson,
  NewUser,
  PEOPLE_NAMED_MAX,
  RoleOption,
  User,
  UserChanges,
  UserListQuery,
  UserRole,
} from './schema.ts'

const params = z.object({ uuid: id })
const taken = { 409: 'The address is taken.' }
const changed = {
  409: "Somebody else changed the user meanwhile, the user is archived, or an administrator's rights would be lost.",
}
const mailed = { 409: 'The user is archived, or was sent 10 of these emails in a minute or 20 in a day.' }
const lastOne = { 409: 'It is oneself, or the last administrator.' }

/** User administration (administration §7.1) and the directory (operations §7). */
export const usersApi = defineApi({
  directory: {
    method: 'GET',
    path: '/authentication/users',
    access: signedIn,
    summary:
      'All people of the organisation, for programs: pages ask for whom they show. External people see only those they work with.',
    limit: 'whole lists',
    reply: z.object({ users: z.array(DirectoryUser) }),
  },
  search: {
    method: 'GET',
    path: '/authentication/users/search',
    access: signedIn,
    summary:
      'The people who can be chosen, found by parts of name, department and address; the first 50, best first. External people find only those they work with.',
    query: z.object({
      searchString: z.optional(text()),
      /** Only possible targets of incidents: excludes business users. */
      isTargetable: z._default(truth, false),
      /** False excludes external people. */
      withExternals: z._default(truth, true),
      onlyExternals: z._default(truth, false),
    }),
    limit: 'by query',
    reply: z.object({
      users: z.array(NamedPerson),
      /** True when the organisation has external people to choose. */
      hasExternals: z.boolean(),
    }),
  },
  named: {
    method: 'GET',
    path: '/authentication/users/named',
    access: signedIn,
    summary:
      'The people behind addresses, archived ones too. Whoever does not exist, or may not be known to the caller, is left out.',
    query: z.object({
      /** Separated by commas. */
      emails: z.pipe(
        z.string().check(z.maxLength(PEOPLE_NAMED_MAX * 255)),
        z.pipe(
          z.transform((value: string) => value.split(',')),
          listOf(text(), PEOPLE_NAMED_MAX),
        ),
      ),
    }),
    reply: z.object({ people: z.array(NamedPerson) }),
  },
  list: {
    method: 'GET',
    path: '/useradmin/users',
    access,
    summary: 'All users of the organisation, archived ones included unless `filter` says otherwise.',
    query: UserListQuery,
    limit: 'by query',
    reply: list(User),
  },
  get: {
    method: 'GET',
    path: '/useradmin/user/:uuid',
    access,
    summary: 'One user, with their history.',
    params,
    reply: User,
  },
  create: {
    method: 'POST',
    path: '/useradmin/user',
    access,
    summary: 'Adds a user, and mails an activation link unless told not to.',
    body: NewUser,
    reply: User,
    status: 201,
    errors: taken,
  },
  import: {
    method: 'POST',
    path: '/useradmin/users',
    access,
    summary:
      'Adds many users at once: all of them or, where one row is wrong, none. Who is there already is left out.',
    query: FromFile,
    body: ImportRows,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: ImportResult,
    status: 201,
  },
  existing: {
    method: 'POST',
    path: '/useradmin/users/existing',
    access,
    repeatable: true,
    summary: 'Which of these addresses belong to users, archived ones too: an import leaves them out.',
    body: z.object({ emails: listOf(email, IMPORT_ROWS_MAX) }),
    bodyLimit: BODY_LIMIT_LISTS,
    reply: z.object({ emails: z.array(z.string()) }),
  },
  deactivateSeveral: {
    method: 'POST',
    path: '/useradmin/users/deactivate',
    access,
    summary: 'Archives several users, each by the rules of one. Says for each what was done or why not.',
    body: Several,
    reply: SeveralOutcomes,
  },
  sendActivationSeveral: {
    method: 'POST',
    path: '/useradmin/users/sendWelcomeEmail',
    access,
    summary:
      'Mails several users a link to set the first password; who has one is left out. Says for each what was done or why not.',
    body: Several,
    reply: SeveralOutcomes,
  },
  changeRoleSeveral: {
    method: 'POST',
    path: '/useradmin/users/role',
    access,
    summary:
      'Gives several users a role, each by the rules of one; external people are left out. Says for each what was done or why not.',
    body: z.extend(Several, { role: UserRole }),
    reply: SeveralOutcomes,
  },
  update: {
    method: 'PUT',
    path: '/useradmin/user/:uuid',
    access,
    summary: 'Changes a user. The address stays.',
    params,
    body: UserChanges,
    reply: User,
    errors: changed,
  },
  deactivate: {
    method: 'DELETE',
    path: '/useradmin/user/:uuid',
    access,
    summary: 'Archives a user, whose sessions end at once. The record and its history stay.',
    params,
    reply: nothing,
    status: 204,
    errors: lastOne,
  },
  endSessions: {
    method: 'DELETE',
    path: '/useradmin/user/:uuid/sessions',
    access,
    summary:
      'Ends all sessions of another user, who can sign in again. Sign-ins that wait for a code end too.',
    params,
    reply: nothing,
    status: 204,
    errors: { 409: 'It is oneself, or the user is archived.' },
  },
  reactivate: {
    method: 'POST',
    path: '/useradmin/user/:uuid',
    access,
    summary: 'Makes an archived user active again.',
    params,
    reply: User,
  },
  sendPasswordReset: {
    method: 'GET',
    path: '/useradmin/user/forgotPassword/:uuid',
    access,
    repeatable: false,
    summary: 'Mails a user a link to set a new password.',
    params,
    reply: nothing,
    status: 204,
    errors: mailed,
  },
  sendActivation: {
    method: 'GET',
    path: '/useradmin/user/sendWelcomeEmail/:uuid',
    access,
    repeatable: false,
    summary: 'Mails a user a link to set the first password.',
    params,
    reply: nothing,
    status: 204,
    errors: mailed,
  },
  resetAuthenticator: {
    method: 'DELETE',
    path: '/useradmin/user/removeAuthenticatorInitialization/:uuid',
    access,
    summary:
      "Forgets a user's authenticator app and recovery codes, so that they enrol again. Whoever has none is 400.",
    params,
    reply: nothing,
    status: 204,
  },
  roles: {
    method: 'GET',
    path: '/useradmin/roles',
    access,
    summary: 'The roles that a form may offer.',
    reply: z.array(RoleOption),
  },
})
