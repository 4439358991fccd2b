import type { HeldRole } from '#contract/incident-roles/schema.ts'
import { fullName } from '#contract/kit/names.ts'

/** A role with its holder. */
export type TakenRole = HeldRole & { readonly holder: NonNullable<HeldRole['holder']> }
export const isTaken = (role: HeldRole): role is TakenRole => role.holder !== null
export const nameOfHolder = ({ holder }: TakenRole): string => fullName(holder) || holder.email
