import * as z from 'zod/mini'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { id } from '#contract/kit/text.ts'
import { RoleOption, User, UserRole } from '#contract/users/schema.ts'

/** A user in the console: the organisation's own record, with its identifier twice (administration §3). */
export const ManagedUser = z.extend(User, { id })
export type ManagedUser = z.infer<typeof ManagedUser>

const PermissionName = z.enum(PERMISSIONS)

/** A role of the catalogue (administration §3). All four can be assigned in the console. */
export const Role = z.extend(RoleOption, {
  enumName: UserRole,
  permissionJsonNames: z.array(PermissionName),
})
/** A permission of the catalogue (administration §3). */
export const PermissionDetails = z.object({
  jsonName: PermissionName,
  description: z.string(),
  /** Configuration item that also has to be on; null for none. */
  needs: z.nullable(z.string()),
  roles: z.array(UserRole),
  /** True for permissions that external people keep. */
  isForExternals: z.boolean(),
  /** True for permissions of API keys. */
  isForApiKeys: z.boolean(),
})
