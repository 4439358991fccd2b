import type { StartAct } from '#contract/incidents/schema.ts'
import type { PlaybookStart } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useText } from '#src/kit/useText.ts'

import { useStartNames } from './startQueries.ts'

/** Sentences for the acts of a playbook at the start of an incident. */
export function useStartWords(start: PlaybookStart): (act: StartAct) => string {
  const text = useText()
  const { nameOf } = usePeople()
  const { groups, templates } = useStartNames(start)
  const names = () => [
    ...start.people.map((email) => nameOf(email)),
    ...start.groupIds.map((id) => groups.get(id) ?? '…'),
  ]
  // Only people who may send know the templates.
  const title = templates.get(start.notificationTemplateId ?? '') ?? '…'
  const words: { readonly [A in StartAct]: () => string } = {
    ROOM: () => text('playbooks.startRoom'),
    PEOPLE: () => text('playbooks.startPeople', { names: names().join(', ') }),
    MESSAGE: () => text('playbooks.startMessage', { message: start.firstMessage }),
    NOTIFICATION: () => text('playbooks.startNotification', { title }),
  }
  return (act) => words[act]()
}
