import type { UseCase } from '../use-case.ts';

export const visualArts: UseCase = {
  db: 'visual_arts',
  overview: 'museums of a country, what they show, and what they own',
  collections: [
    {
      name: 'Museums',
      items: 'museums',
      rows: 330,
      identifier: {
        name: 'museumName',
        title: 'museum name',
        parts: [
          'Castle, Harbour, Mill, Palace, Station, Abbey',
          'Gallery, Museum, Collection, Kunsthalle, Rooms, Archive',
        ],
      },
      text: {
        name: 'exhibitHighlights',
        title: 'exhibit highlights',
        facets: `
          Portraits of merchants. / A merchant's portrait. = likenesses, traders
          Armour and swords. / A knight's sword. = weapons, medieval
          Glass from Bohemia. / Coloured glasses. = crystal, vases
          Photographs of workers. / A photographer's archive. = cameras, documentary
          Egyptian mummies. / The mummy of a priest. = pharaohs, pyramids
          Costumes from the opera. / An opera costume. = clothing, fashion
          Sculptures in the garden. / A sculptor's garden. = statues, outdoors
          Clocks that still strike. / A clock with dancing figures. = timepieces, watches
          Maps of lost islands. / An island map. = cartography, charts
          Toys and puppets. / A puppet theatre with toy animals. = dolls, childhood
          Impressionist landscapes. / A landscape with poplars. = scenery, countryside
          Video installations. / Videos in dark rooms. = films, screens
          Carved altars. / An altar carving. = woodwork, religious
          Ship models. / A model of every ship. = nautical, vessels`,
      },
      kind: { name: 'owner', title: 'owner', values: 'state 6, city 8, foundation 4, private 3' },
      number: { name: 'entryFee', title: 'entry fee', mean: 9, spread: 8, digits: 0 },
      boolean: { name: 'openToday', title: 'open today', share: 0.6 },
      second: { name: 'hasCafe', title: 'cafe', share: 0.13 },
    },
    {
      name: 'Exhibitions',
      items: 'exhibitions',
      rows: 410,
      identifier: {
        name: 'exhibitionTitle',
        title: 'exhibition title',
        parts: [
          'Faces of, Dreams of, Traces of, Songs of, Against, Beyond',
          'Light, Stone, Paper, Silence, Summer, Iron',
        ],
      },
      text: {
        name: 'exhibitionDescription',
        title: 'exhibition description',
        facets: `
          Visitors may touch everything. / Touching is allowed for each visitor. = interactive, tactile
          Works by young artists. / An artist under thirty. = newcomers, youth
          Lent by twenty museums. / Loans from a museum abroad. = borrowed, international
          Drawings never shown before. / A drawing that was lost. = sketches, pencil
          Sound and moving light. / Lights and sounds. = multimedia, acoustic
          Curated by schoolchildren. / A curator who is eight. = kids, pupils
          Letters and diaries. / A painter's diary and a letter. = correspondence, handwriting
          About rivers and trade. / Traders on a river. = commerce, shipping
          Prints from woodblocks. / A woodblock printer. = engraving, graphics
          Women who painted. / A woman and her paintings. = female, feminism
          Textiles from the Andes. / A woven textile. = fabrics, weaving
          Posters of protest. / Protesters and their poster. = politics, resistance
          Robots that paint. / A painting robot. = machines, automation
          Portraits in wax. / A waxen portrait. = busts, candles`,
      },
      kind: { name: 'theme', title: 'theme', values: 'painting 8, photography 5, sculpture 4, design 3' },
      number: {
        name: 'averageVisitorCount',
        title: 'average visitor count',
        mean: 320,
        spread: 260,
        digits: -1,
      },
      boolean: { name: 'currentlyRunning', title: 'currently running', share: 0.45 },
      second: { name: 'isTouring', title: 'touring', share: 0.12 },
    },
    {
      name: 'ArtPieces',
      items: 'art pieces',
      rows: 500,
      identifier: {
        name: 'artPieceName',
        title: 'art piece name',
        parts: [
          'Girl with, Still Life with, Study of, Night with, Two, The',
          'Apples, Herons, Ladder, Mirror, Boats, Violin',
        ],
      },
      text: {
        name: 'artPieceHistory',
        title: 'art piece history',
        facets: `
          Stolen and returned. / A thief returned it. = robbery, burglary
          Painted over twice. / Another painting lies below. = overpainted, layers
          Restored after a fire. / A restorer removed soot from the fire. = burned, conservation
          Bought at auction. / Auctioned in two parts. = bidding, purchase
          A gift of the artist. / Gifts to the town. = donation, bequest
          Its frame is older. / Framed by a carver. = border, woodwork
          Copied by many. / A copyist signed it. = replicas, imitation
          Found in an attic. / An attic find. = discovery, loft
          Forged papers were with it. / Long taken for a forgery. = fake, counterfeit
          Exhibited in Paris. / Shown at exhibitions in Paris. = french, display
          Belonged to a sailor. / A ship's captain and sailors owned it. = maritime, seafarers
          Cut into three. / The cutting was a mistake. = fragments, sliced
          Signed on the back. / The signature is doubtful. = autograph, initials
          Cleaned with bread. / Cleaning brought out the blue. = dusting, washing`,
      },
      kind: { name: 'medium', title: 'medium', values: 'oil 8, watercolour 4, bronze 3, wood 3, ink 2' },
      number: {
        name: 'currentValuation',
        title: 'current valuation',
        mean: 42000,
        spread: 38000,
        digits: -3,
      },
      boolean: { name: 'onDisplay', title: 'on display', share: 0.4 },
      second: { name: 'onLoan', title: 'on loan', share: 0.11 },
    },
  ],
};
