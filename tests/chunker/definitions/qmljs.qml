import QtQuick 2.0
// A cart.
Item {
    id: root
    property int total: 9
    readonly property string name: "x"
    signal paid(int total)
    property alias label: lab.text
    default property list<Item> kids
    required property int req
    // All lines.
    function total2(tax) {
        var x = 1;
        return x;
    }
    component Line: Rectangle { property int price }
    Text { id: lab; onClicked: function() { } 
      function deep() {} }
    enum State { Open, Closed }
    Component.onCompleted: { total2(1) }
}
