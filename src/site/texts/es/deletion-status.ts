import { DELETION_BUSINESS_DAYS } from '#protocol/deletion.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/deletion-status.ts'

export const texts: Translation<typeof english> = {
  'deletion-status.title': 'Estado de la eliminación',
  'deletion-status.retry': 'Intentar de nuevo',
  'deletion-status.more': 'Cómo funciona la eliminación',
  'deletion-status.reading': 'Buscando...',
  'deletion-status.waiting': `La solicitud ha llegado. Los datos se eliminan en un plazo de ${DELETION_BUSINESS_DAYS} días laborables desde entonces.`,
  'deletion-status.held':
    'La solicitud ha llegado. La ley nos pide que conservemos estos datos aparte por ahora; los eliminaremos en cuanto podamos.',
  'deletion-status.done': 'Los datos se han eliminado. No queda nada.',
  'deletion-status.cancelled': 'La cuenta se ha conservado: su titular inició sesión y retiró la solicitud.',
  'deletion-status.unknown': 'No conocemos este código. Comprueba que esté completo.',
  'deletion-status.unread': 'No hemos podido consultarlo. Inténtalo de nuevo dentro de un momento.',
}
