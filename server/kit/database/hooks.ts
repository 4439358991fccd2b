import { type OrgDb, unitOf } from './db.ts'

/**
 * What nouns announce to those above them. Each declares its own:
 * `declare module '#server/kit/database/hooks.ts' { interface Hooks { groupChanged: { readonly groupId: string } } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by the nouns
export interface Hooks {}

/** What a noun does about the hooks of those below it. */
export type HookHandlers = {
  readonly [H in keyof Hooks]?: (db: OrgDb, about: Hooks[H]) => Promise<void>
}

/** Has all nouns that handle a hook do so in this transaction, one after the other. A refusal of theirs ends it. */
export async function runHook<H extends keyof Hooks>(db: OrgDb, hook: H, about: Hooks[H]): Promise<void> {
  for (const handlers of unitOf(db).hooks) await handlers[hook]?.(db, about)
}
