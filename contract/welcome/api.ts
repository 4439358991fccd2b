import * as z from 'zod/mini'

import { everybody, staffAs } from '#contract/kit/access.ts'
import { BODY_LIMIT_LISTS, defineApi } from '#contract/kit/endpoint.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'

import { WelcomeChanges, WelcomeInvitation, WelcomePackage } from './schema.ts'

const params = z.object({ uid: z.string() })
const gone = { 404: 'There is no such package, or no longer; or it was submitted and takes no changes.' }

/** The welcome package of a new organisation, for the holder of its link (administration §7.7). */
export const welcomeApi = defineApi({
  get: {
    method: 'GET',
    path: '/welcome/:uid',
    access: everybody,
    summary: 'A welcome package, by the identifier in its mailed link.',
    params,
    reply: WelcomePackage,
    errors: gone,
  },
  save: {
    method: 'POST',
    path: '/welcome/:uid',
    access: everybody,
    summary: 'Saves a welcome package, or submits it with the status SUBMITTED.',
    params,
    body: WelcomeChanges,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: WelcomePackage,
    status: 200,
    errors: { ...gone, 409: 'It was saved in another browser since it was read.' },
  },
  renew: {
    method: 'POST',
    path: '/welcome/:uid/renew',
    access: everybody,
    repeatable: true,
    summary:
      'Mails another link in the place of one that has expired, to the address it was sent to. Answers the same for every other identifier.',
    params,
    reply: nothing,
    status: 204,
    errors: { 429: 'Asked for too often.' },
  },
})

const path = '/enterprise/:id/welcomePackage'
/** Welcome packages of all organisations, for the provider's staff (administration §7.6). */
export const managementWelcomeApi = defineApi({
  get: {
    method: 'GET',
    path,
    access: staffAs.look,
    summary: "How far an organisation's welcome package is.",
    params: ById,
    reply: WelcomeInvitation,
  },
  send: {
    method: 'POST',
    path: '/enterprise/:id/sendWelcomeEmail',
    access: staffAs.support,
    summary: "Mails the welcome package's link to the organisation's administrator, also again.",
    params: ById,
    query: z.object({
      /** Address of the requesting console, to which the link leads. */
      feUrl: text(),
    }),
    reply: WelcomeInvitation,
    status: 200,
    errors: { 409: 'The package was submitted, does not apply, or there is no administrator.' },
  },
  withdraw: {
    method: 'DELETE',
    path,
    access: staffAs.support,
    repeatable: true,
    summary: 'Withdraws the link of a package that was not submitted. What was saved stays for another link.',
    params: ById,
    reply: WelcomeInvitation,
    status: 200,
    errors: { 409: 'The package was submitted.' },
  },
  retry: {
    method: 'POST',
    path: `${path}/retry`,
    access: staffAs.support,
    summary: 'Makes the users, groups, rooms and folders of a submitted package again, after a failure.',
    params: ById,
    reply: WelcomeInvitation,
    status: 200,
    errors: { 409: 'The package did not fail.' },
  },
})
