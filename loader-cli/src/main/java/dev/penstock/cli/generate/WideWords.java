package dev.penstock.cli.generate;

/** The lists that texts of the wide table come from; {@code |} stands between entries. */
final class WideWords {
    static final String COUNTRIES =
            "DE|US|FR|GB|IT|ES|NL|PL|AT|CH|BE|SE|DK|NO|FI|CZ|PT|IE|HU|RO|GR|SK|SI|HR|"
                    + "BG|LT|LV|EE|LU|CA|MX|BR|AR|CL|CO|CN|JP|KR|IN|SG|AU|NZ|ZA|TR|AE|SA|IL|EG|"
                    + "MA|TH|VN|MY|ID|PH|TW|HK|UA|RS|IS|MT|CY";
    static final String CURRENCIES =
            "EUR|USD|GBP|CHF|PLN|SEK|DKK|NOK|CZK|HUF|RON|CAD|JPY|CNY|AUD|BRL|INR|TRY";
    static final String LANGUAGES = "de|en|fr|it|es|nl|pl|sv|da|nb|fi|cs|pt|hu|ro|el|zh|ja|ko|tr";
    static final String FIRST_NAMES =
            "Anna|Bernd|Carla|David|Elif|François|Greta|Henrik|Irina|Jürgen|Katarzyna|"
                    + "Liam|María|Noah|Olivia|Paul|Quentin|Renée|Søren|Tomáš|Ursula|Viktor|Wendy|"
                    + "Xenia|Yusuf|Zoë|Mia|Peter|Sarah|Thomas|Julia|Michael|Laura|James|Emma";
    static final String LAST_NAMES =
            "Müller|Smith|Schmidt|Dubois|Rossi|García|Jansen|Kowalski|Novák|Johansson|"
                    + "Nielsen|Hansen|Virtanen|Silva|O'Brien|Nagy|Popescu|Fischer|Weber|Meyer|"
                    + "Wagner|Becker|Brown|Taylor|Wilson|Martin|Bernard|Moreau|Ferrari|Ricci|"
                    + "López|de Vries|Bakker|Wójcik|Svoboda|Andersson|Larsen|Korhonen|Costa|"
                    + "Murphy|Tóth|Ionescu|Yılmaz|Chen|Tanaka|Kim|Patel";
    static final String COMPANIES =
            "Nordic|Alpine|United|General|Royal|Atlantic|Central|Delta|Eastern|First|"
                    + "Global|Hanse|Inter|Jade|Kappa|Lakeside|Metro|Nova|Omega|Pacific|Quality|"
                    + "Rhein|Solar|Terra|Union|Vita|Western|Zenith|Blue|Silver|Prime|Superior";
    static final String TRADES =
            "Maschinenbau GmbH|Foods Ltd.|Trading Co., Inc.|Logistics B.V.|Chemie AG|"
                    + "Textiles S.p.A.|Électronique SARL|Tools Ltd.|Pharma SE|Energy A/S|"
                    + "Motors S.A.|Software GmbH & Co. KG|Papier AG|Glas GmbH|Metals PLC|"
                    + "Plastics Inc.|Furniture Oy|Optics AB|Medical Devices LLC|"
                    + "Packaging sp. z o.o.|Systems AG|Supplies N.V.";
    static final String CITIES =
            "Berlin|Hamburg|München|Köln|Frankfurt am Main|Paris|Lyon|London|"
                    + "Manchester|Madrid|Barcelona|Roma|Milano|Amsterdam|Rotterdam|Warszawa|"
                    + "Kraków|Praha|Wien|Zürich|Genève|Bruxelles|Stockholm|København|Oslo|"
                    + "Helsinki|Lisboa|Dublin|Budapest|Bucureşti|Athína|New York|Chicago|Houston|"
                    + "Los Angeles|Toronto|São Paulo|México|Tokyo|Shanghai|Singapore|Sydney|"
                    + "Dubai|İstanbul|Mumbai|Seoul|Stuttgart|Düsseldorf|Leipzig|Bremen|Graz|Linz|"
                    + "Basel|Lille|Nantes|Torino|Porto";
    static final String STREETS =
            "Main Street|High Street|Bahnhofstraße|Hauptstraße|Industriestraße|"
                    + "Rue de la Paix|Via Roma|Calle Mayor|Market Street|Station Road|"
                    + "Park Avenue|Gartenweg|Lindenallee|Schulstraße|Kerkstraat|Dorfstraße|"
                    + "Avenue Victor Hugo|Church Lane|Mill Road|Harbour Road|Am Hafen|Ringstraße|"
                    + "Nygatan|Storgatan|ulica Długa|Rua Augusta|Fabrikstraße|Queen Street";
    static final String STATES =
            "Bayern|Hessen|Sachsen|Berlin|Hamburg|Île-de-France|Lombardia|Lazio|"
                    + "Cataluña|Madrid|Greater London|Kent|Texas|California|New York|Illinois|"
                    + "Ontario|Zürich|Wien|Tirol|Mazowieckie|Noord-Holland|Skåne|Jalisco|Bahia";
    static final String USERS =
            "abauer|bjones|cmeier|dlopez|eweiss|fklein|gnowak|hpetit|irossi|jkraus|"
                    + "kolsen|lberg|mdiaz|nfrank|otto|pwolf|qmarsh|rstone|svogel|tlang|ureich|"
                    + "vbraun|wkoch|xhu|yilmaz|zimmer|batch01|batch02|edi|webshop|interface";
    static final String CARRIERS =
            "DHL|UPS|FedEx|DPD|GLS|Hermes|TNT|DB Schenker|Kuehne+Nagel|DSV|Maersk|"
                    + "Own fleet|Pickup";
    static final String CATEGORIES =
            "Fasteners|Bearings|Drives|Cables|Sensors|Lighting|Office|Safety|"
                    + "Hand tools|Power tools|Cleaning|Packaging|Chemicals|Paints|Plumbing|"
                    + "Heating|Electronics|Furniture|Food|Beverages|Medical|Textiles|Paper|"
                    + "Spare parts|Services";
    static final String SUBCATEGORIES =
            "Screws|Nuts|Washers|Bolts|Anchors|Ball bearings|Roller bearings|Motors|"
                    + "Gearboxes|Belts|Copper cable|Fibre|Connectors|Temperature|Pressure|"
                    + "Proximity|LED|Halogen|Pens|Folders|Toner|Gloves|Helmets|Goggles|Hammers|"
                    + "Pliers|Drills|Saws|Detergents|Wipes|Boxes|Film|Tape|Solvents|Acids|Primer|"
                    + "Varnish|Pipes|Valves|Pumps|Boilers|Radiators|Boards|Chips|Desks|Chairs|"
                    + "Shelves|Snacks|Coffee|Water|Juice|Bandages|Syringes|Workwear|Towels|A4|A3|"
                    + "Filters|Seals|Repair|Training";
    static final String ADJECTIVES =
            "heavy-duty|stainless|galvanised|compact|premium|standard|flexible|"
                    + "insulated|waterproof|reinforced|slim|extra long|self-locking|high-speed|"
                    + "low-noise|portable|modular|adjustable|industrial|antistatic|food-grade|"
                    + "ergonomic";
    static final String BRANDS =
            "Acton|Bexa|Cordis|Dynamo|Elmar|Festor|Gamma|Hilpert|Inox|Juno|Kessler|"
                    + "Lumen|Makon|Norda|Optix|Prowell|Quick|Rapid|Stabil|Titan|Ultra|Vario|"
                    + "Werko|Xenon|Yard|Zeta|house brand";
    static final String UNITS = "PCE|KGM|MTR|LTR|BOX|SET|PAK|ROL|HUR|MTK|MTQ|PAL|DZN|TNE";
    static final String COLORS =
            "black|white|grey|silver|blue|red|green|yellow|orange|brown|transparent|"
                    + "beige|violet|pink";
    static final String MATERIALS =
            "steel|stainless steel|aluminium|brass|copper|plastic|PVC|rubber|wood|"
                    + "glass|cotton|polyester|paper|ceramic";
    static final String PROSE =
            "please|deliver|to|the|gate|before|noon|customer|asks|for|a|call|goods|are|"
                    + "fragile|as|agreed|with|sales|see|order|attached|price|confirmed|by|phone|"
                    + "part|of|frame|contract|do|not|stack|keep|dry|invoice|sent|twice|check|"
                    + "quantity|on|arrival|replacement|under|warranty|urgent|special|discount|"
                    + "granted|until|end|month|partial|delivery|accepted|contact|warehouse|"
                    + "unloading|needs|forklift|documents|in|envelope|return|pallets|label|"
                    + "visible|für|Rücksprache|délai|prévu|señor|über";

    private WideWords() {}
}
