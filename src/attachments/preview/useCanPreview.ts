import { useCallback } from 'react'

import { canPreview } from '#contract/files/rules.ts'
import { useConvertsOffice } from '#src/config/useConfig.ts'

/**
 * Returns a function that tells which files of a list can be previewed.
 * @param isConverted false for files that our server does not keep
 */
export function useCanPreview(isConverted = true): (file: Parameters<typeof canPreview>[0]) => boolean {
  const convertsOffice = useConvertsOffice() && isConverted
  return useCallback((file) => canPreview(file, { convertsOffice }), [convertsOffice])
}
