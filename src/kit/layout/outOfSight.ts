/** Rows of a long list: those that are out of sight are neither laid out nor drawn. */
export const OUT_OF_SIGHT = { contentVisibility: 'auto', containIntrinsicBlockSize: 'auto 53px' } as const
