import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'

import { NewShare, PlaybookShare } from './schema.ts'

/** Sharing of playbooks with child organisations (operations §7). */
export const playbookSharesApi = defineApi({
  share: {
    method: 'POST',
    path: '/crossEnterprises/playbook/share',
    access: playbooksAccess.share,
    summary:
      'Copies playbooks with their files to child organizations. A share that does not fit is refused whole. A small one is done when this answers, a larger one in the background.',
    body: NewShare,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: PlaybookShare,
    status: 201,
    errors: { 409: 'An organization cannot receive so many playbooks.' },
  },
  progress: {
    method: 'GET',
    path: '/crossEnterprises/playbook/shares/:id',
    access: playbooksAccess.share,
    summary: 'How far a share is, with the result for each playbook and organization.',
    params: ById,
    reply: PlaybookShare,
  },
})
