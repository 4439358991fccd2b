import { attachmentsApi } from '#contract/attachments/api.ts'
import { attachmentCan } from '#contract/attachments/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'
import { AttachmentList, AttachmentsButton } from '#src/attachments/Attachments.tsx'

import { Card } from '#src/kit/layout/Card.tsx'

/** The files of an incident; read-only once it is resolved. */
export function AttachmentsPanel({ incident }: { incident: Incident }) {
  const text = useText()
  const me = useSession().user
  const can = useCan()
  const mayAdd = can(attachmentsApi.add.access)
  const mayRemove = can(attachmentsApi.remove.access)
  const props = {
    parent: { parentType: 'INCIDENT', parentId: incident.id },
    canAdd: mayAdd && me !== null && attachmentCan.add(incident, me),
    canRemove: (file: { createdBy: string }) =>
      mayRemove && me !== null && attachmentCan.remove(file, me, incident),
    expected: incident.attachments.length,
  } as const
  return (
    <Card heading="h3" title={text('attachments.files')} side={<AttachmentsButton {...props} />}>
      <AttachmentList {...props} />
    </Card>
  )
}
