import { has, personWith } from '#contract/kit/access.ts'

/** Who may make the calls about playbooks (operations §6). It stands apart from their schemas, which the menu does not load. */
export const playbooksAccess = {
  read: has('playbook-read-only', 'playbook-full-access'),
  write: has('playbook-full-access'),
  share: personWith('cross-enterprise-playbooks-sharing'),
}
