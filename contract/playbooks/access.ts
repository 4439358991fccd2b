import { has, personWith } from '#contract/kit/access.ts'

/** Access to playbooks (operations §6), apart from the schemas, which the menu does not load. */
export const playbooksAccess = {
  read: has('playbook-read-only', 'playbook-full-access'),
  write: has('playbook-full-access'),
  share: personWith('cross-enterprise-playbooks-sharing'),
}
