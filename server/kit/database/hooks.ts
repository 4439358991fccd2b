import { type OrgDb, unitOf } from './db.ts'

/**
 * Events that nouns announce to higher nouns. Each declares its own: `declare module '#server/kit/database/hooks.ts' {
 * interface Hooks { groupChanged: { readonly groupId: string } } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by the nouns
export interface Hooks {}

/** A noun's handlers of the hooks of lower nouns. */
export type HookHandlers = {
  readonly [H in keyof Hooks]?: (db: OrgDb, about: Hooks[H]) => Promise<void>
}

/** Runs all handlers of a hook in this transaction, one after the other. A refusal ends the transaction. */
export async function runHook<H extends keyof Hooks>(db: OrgDb, hook: H, about: Hooks[H]): Promise<void> {
  for (const handlers of unitOf(db).hooks) await handlers[hook]?.(db, about)
}
