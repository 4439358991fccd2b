import { type Access, personWith } from '#contract/kit/access.ts'

/** Access to the file storage (operations §6). With `sfs-2fa` the session has to be verified as well (decisions §5). */
export const filesAccess = {
  use: { ...personWith('sfs', 'sfs-2fa'), verifiedWith: 'sfs-2fa' } as const satisfies Access,
}
