import * as z from 'zod/mini'

/** An entry of the public service registry: the API address of an organisation (foundation §3). */
export const RegistryEntry = z.object({ code: z.string(), apiUrl: z.string() })
export type RegistryEntry = z.infer<typeof RegistryEntry>
/** The API address for calls without an organisation, such as the reminder of its code (foundation §7). */
export const ServiceBase = z.object({ apiUrl: z.string() })
export type ServiceBase = z.infer<typeof ServiceBase>

/** Subscription levels (administration §3). */
export const SUBSCRIPTION_LEVELS = ['BASIC', 'SMALL_TEAM', 'LARGE_TEAM', 'ENTERPRISE'] as const
export const SubscriptionLevel = z.enum(SUBSCRIPTION_LEVELS)
export type SubscriptionLevel = z.infer<typeof SubscriptionLevel>

/** A child organisation, with the number of playbooks that can still be shared with it (foundation §3). */
export const ChildOrganisation = z.object({
  enterpriseId: z.uuid(),
  enterpriseCode: z.string(),
  displayName: z.string(),
  maxTemplates: z.int(),
  currentTemplates: z.int(),
  playbookEnabled: z.boolean(),
})
export type ChildOrganisation = z.infer<typeof ChildOrganisation>
