import * as z from 'zod/mini'

/** An entry of the public service registry: where an organisation's calls go (foundation §3). */
export const RegistryEntry = z.object({ code: z.string(), apiUrl: z.string() })
export type RegistryEntry = z.infer<typeof RegistryEntry>

/** Subscription levels (administration §3). */
export const SUBSCRIPTION_LEVELS = ['BASIC', 'SMALL_TEAM', 'LARGE_TEAM', 'ENTERPRISE'] as const
export const SubscriptionLevel = z.enum(SUBSCRIPTION_LEVELS)
export type SubscriptionLevel = z.infer<typeof SubscriptionLevel>
