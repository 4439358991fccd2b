import { useNotify } from 'react-admin'
import { useState } from 'react'

import { playbookExportsApi } from '#contract/playbook-exports/api.ts'
import type { PlaybookExportType } from '#contract/playbook-exports/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'

/** Downloads a playbook as a document or as a source. Returns a busy flag and the function. */
export function usePlaybookExport(id: string) {
  const text = useText()
  const notify = useNotify()
  const [isExporting, setExporting] = useState(false)
  const exportAs = async (type: PlaybookExportType) => {
    if (isExporting) return
    setExporting(true)
    const params = { id }
    try {
      const { blob, fileName } =
        type === 'PDF' || type === 'DOCX'
          ? await call(playbookExportsApi.document, { params, query: { type } })
          : await call(playbookExportsApi.source, { params, query: { type } })
      saveFile(blob, fileName)
    } catch (error) {
      notify(text('playbooks.exportFailed', { status: statusOf(error) ?? 0 }), { type: 'error' })
    } finally {
      setExporting(false)
    }
  }
  return { isExporting, exportAs: (type: PlaybookExportType) => void exportAs(type) }
}
