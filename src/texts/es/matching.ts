import { MINIMUM_AGE } from '#protocol/constants.ts'
import type { texts as english } from '../en/matching.ts'
import type { Translation } from '../messages.ts'

export const texts: Translation<typeof english> = {
  'matching.title': 'Buscando pareja de chat',
  'matching.title.found': 'Hay alguien para ti',
  'matching.searching': 'Buscando a alguien...',
  'matching.found': '¡Encontrado!',
  'matching.calling': 'Llamando a <name/>...',
  'matching.cancel': 'Cancelar la búsqueda',
  'matching.own-picture': 'Tu foto',
  'matching.hub.reconnecting': 'La conexión se ha cortado un momento. Reconectando...',
  'matching.hub.lost': 'Se ha perdido la conexión.',
  'matching.tip.0': 'No compartas nunca tu nombre real, tu dirección, tu teléfono ni tus redes sociales.',
  'matching.tip.1': 'No compartas nunca contraseñas ni datos bancarios.',
  'matching.tip.2': 'Sal del chat en cualquier momento si no te sientes a salvo.',
  'matching.tip.3': 'No quedes con desconocidos en la vida real.',
  'matching.tip.4': 'Sé respetuoso: el acoso, el hostigamiento y el discurso de odio llevan a la expulsión.',
  'matching.tip.5': 'El contenido para adultos u ofensivo lleva a la expulsión inmediata.',
  'matching.tip.6': 'No grabes ni compartas un chat sin permiso.',
  'matching.tip.7': '¿Alguien te pide dinero? Es una estafa: denúncialo.',
  'matching.tip.8': `Aquí todo el mundo tiene ${MINIMUM_AGE} años o más. Denuncia a quien no los tenga.`,
}
