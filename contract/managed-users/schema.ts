import * as z from 'zod/mini'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { id } from '#contract/kit/text.ts'
import { RoleOption, User, UserRole } from '#contract/users/schema.ts'

/** A user as the console lists one: the organisation's own record, with its identifier twice (administration §3). */
export const ManagedUser = z.extend(User, { id })
export type ManagedUser = z.infer<typeof ManagedUser>

const PermissionName = z.enum(PERMISSIONS)

/** A role of the catalogue (administration §3). All four can be given here. */
export const Role = z.extend(RoleOption, {
  enumName: UserRole,
  permissionJsonNames: z.array(PermissionName),
})
/** A permission of the catalogue (administration §3). */
export const PermissionDetails = z.object({
  jsonName: PermissionName,
  description: z.string(),
  /** The configuration item that has to be on as well; null for none. */
  needs: z.nullable(z.string()),
  roles: z.array(UserRole),
  /** Whether external people keep it. */
  isForExternals: z.boolean(),
  /** Whether API keys have it. */
  isForApiKeys: z.boolean(),
})
