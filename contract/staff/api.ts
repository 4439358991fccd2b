import * as z from 'zod/mini'

import { everybody, providerStaff } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { ById, nothing, timestamp } from '#contract/kit/text.ts'

import {
  CurrentStaff,
  Environment,
  LinkId,
  LinkRequest,
  NewStaffMember,
  StaffMember,
  StaffSession,
} from './schema.ts'

/** Sign-in to the provider's console, and who its staff are (administration §2.2, §7.6). */
export const staffApi = defineApi({
  environments: {
    method: 'GET',
    path: '/management/environments',
    access: everybody,
    summary: 'The installations of the provider, of which this one is Local.',
    reply: z.array(Environment),
  },
  login: {
    method: 'POST',
    path: '/management/login',
    access: everybody,
    summary:
      'Mails staff a link that signs them in once, within 15 minutes. The answer is equal for every address.',
    body: LinkRequest,
    reply: z.object({}),
  },
  session: {
    method: 'POST',
    path: '/management/session',
    access: everybody,
    summary: 'Begins a session with the id of a mailed link.',
    body: LinkId,
    reply: StaffSession,
  },
  logout: {
    method: 'POST',
    path: '/management/logout',
    access: providerStaff,
    summary: 'Ends the session.',
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  me: {
    method: 'GET',
    path: '/management/me',
    access: providerStaff,
    summary: 'Who is signed in, and until when.',
    reply: CurrentStaff,
  },
  ticket: {
    method: 'POST',
    path: '/live/ticket',
    access: providerStaff,
    repeatable: true,
    summary: "A ticket that opens the console's live socket once, within a minute.",
    reply: z.object({ ticket: z.string(), expiresAt: timestamp }),
    status: 201,
  },
  list: {
    method: 'GET',
    path: '/staff',
    access: providerStaff,
    summary: 'All members of staff: those whom the settings name, and those who were invited.',
    reply: z.array(StaffMember),
  },
  invite: {
    method: 'POST',
    path: '/staff',
    access: providerStaff,
    summary: 'Adds a member of staff, and mails them where to sign in.',
    body: NewStaffMember,
    reply: StaffMember,
    status: 201,
    errors: { 409: 'The person is a member of staff already.' },
  },
  remove: {
    method: 'DELETE',
    path: '/staff/:id',
    access: providerStaff,
    summary: 'Removes a member of staff, whose sessions end at once.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: 'It is oneself, or the settings name the member.' },
  },
})
