import { MINIMUM_AGE } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/matching.ts'

export const texts: Translation<typeof english> = {
  'matching.title': 'Buscando pareja de chat',
  'matching.title.found': 'Hay alguien para ti',
  'matching.searching': 'Buscando a alguien...',
  'matching.found': '¡Encontrado!',
  'matching.calling': 'Llamando a <name/>...',
  'matching.report-last': 'Denunciar a {name}',
  'matching.cancel': 'Cancelar la búsqueda',
  'matching.alone': 'Ahora mismo no hay nadie más aquí.',
  'matching.others': '{count, plural, one {Hay # persona más buscando.} other {Hay # personas más buscando.}}',
  'matching.many': 'Hay al menos {count} personas más buscando.',
  'matching.speaking': 'Al menos {count} de ellas hablan un idioma de los tuyos.',
  'matching.long': 'Está tardando más de lo normal.',
  'matching.nobody': 'Ahora mismo no hay nadie.',
  'matching.to-dashboard': 'Volver al panel',
  'matching.call-back': 'Avísame',
  'matching.call-back.offer': 'Podemos avisarte cuando llegue alguien.',
  'matching.call-back.title': 'Puedes usar otra pestaña: el título de esta cambia cuando llegue alguien.',
  'matching.call-back.on': 'Te avisaremos cuando llegue alguien. Deja esta pestaña abierta.',
  'matching.call-back.blocked':
    'Tu navegador bloquea aquí las notificaciones. Deja esta pestaña abierta: su título cambia cuando llegue alguien.',
  'matching.call-back.body': 'Vuelve para empezar tu videochat.',
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
  'matching.tip.8': `Aquí hay que tener ${MINIMUM_AGE} años o más. Denuncia a quien no los tenga.`,
}
