import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/preferences.ts'

export const texts: Translation<typeof english> = {
  'preferences.title': 'A quién conozco',
  'preferences.why':
    'Primero conoces a quienes comparten contigo un idioma y un interés, después un idioma, después a cualquiera. Nadie sabe lo que no compartís.',
  'preferences.loading': 'Cargando tus idiomas e intereses...',
  'preferences.not-read': 'No se han podido cargar tus idiomas e intereses. Inténtalo de nuevo.',
  'preferences.languages': 'Idiomas que hablo',
  'preferences.languages.hint': 'Hasta {max}. Escribe para buscar.',
  'preferences.languages.proposed': 'Estos son los idiomas de tu navegador. Cuentan cuando los guardes.',
  'preferences.languages.refused': 'Estos idiomas no se han aceptado. Elígelos de la lista.',
  'preferences.languages.unknown': 'Ningún idioma coincide. Elige uno de la lista.',
  'preferences.interests': 'Intereses',
  'preferences.interests.hint': 'Hasta {max}, con tus palabras. Con Intro añades uno.',
  'preferences.interests.refused':
    'Un interés tiene una palabra que aquí no se acepta. Quítalo o elige otro, por favor.',
  'preferences.interests.letters':
    'Solo se permiten letras y cifras, con un espacio, guion o apóstrofo entre palabras.',
  'preferences.interests.digits': 'Un interés no puede tener más de {max} cifras.',
  'preferences.interests.too-long': 'Un interés no puede tener más de {max} caracteres.',
  'preferences.interests.known': 'Ya tienes este interés.',
  'preferences.full': 'Has elegido {max}. Quita uno para elegir otro.',
  'preferences.count': '{count} de {max}',
  'preferences.remove': 'Quitar {name}',
  'preferences.added': 'Se ha añadido {name}.',
  'preferences.removed': 'Se ha quitado {name}.',
  'preferences.found': '{count, plural, =0 {No se ha encontrado nada.} one {# encontrado.} other {# encontrados.}}',
  'preferences.failed': 'No se ha podido guardar. No se ha perdido nada: inténtalo de nuevo.',
  'preferences.save': 'Guardar',
  'preferences.saving': 'Guardando...',
  'preferences.cancel': 'Cancelar',
  'preferences.saved': 'Guardado. Cuenta desde tu próxima búsqueda.',
}
