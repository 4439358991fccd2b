import { NO_PROPOSAL, NO_START } from '#contract/playbooks/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { createCategory } from '#server/playbook-categories/flows.ts'
import { createPlaybook } from '#server/playbooks/edits.flows.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { CATEGORY, PLAYBOOKS } from './playbooks.content.ts'

/** Time after which the playbooks are due for review. */
const REVIEWED_AFTER = 180 * DAY

/** Adds a category with playbooks. */
export async function addPlaybooks(services: Services, db: OrgDb, by: Acting): Promise<void> {
  const { id: categoryId } = await createCategory(db, { name: CATEGORY })
  const reviewDate = new Date(clock.now() + REVIEWED_AFTER).toISOString().slice(0, 10)
  for (const playbook of PLAYBOOKS)
    await createPlaybook(services, db, by, {
      ...playbook,
      categoryId,
      owner: by.name,
      reviewDate,
      proposal: NO_PROPOSAL,
      start: NO_START,
    })
}
