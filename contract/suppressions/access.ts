import { has, personWith } from '#contract/kit/access.ts'

/** Access to addresses that are not tried again. An administrator allows one again. */
export const suppressionsAccess = {
  read: has('mass-notifs', 'user-admin'),
  lift: personWith('user-admin'),
}
