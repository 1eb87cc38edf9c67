export const blockStatuses = ['Valid', 'Warning', 'Appeal', 'InReview', 'Blocked'] as const
export type BlockStatus = (typeof blockStatuses)[number]

/** Whether a user with this status may be matched. */
export function mayChat(status: BlockStatus): boolean {
  return status === 'Valid' || status === 'Warning'
}
